// Observes a program from outside while `otter record` waits for it (README.md).
//
// *Thread*: one at a time.
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "launcher/observe/perf_events.h"

struct otter_observer;

// `report`: the path of the report file. `counters`: a list of names. *Returns* NULL on failure.
struct otter_observer *otter_observer_create(const char *report,
                                             const struct otter_sampling *sampling,
                                             const char *counters);
// Stores the last switches and samples.
void otter_observer_destroy(struct otter_observer *observer);

// Begins to observe `pid`, which must not have executed its program yet. *Returns* 0 or errno.
// *sample_error: errno if samples were wanted but refused, otherwise 0. Stores the list of recorded
// counters in `counters`, and warns of refused ones.
int otter_observer_begin(struct otter_observer *observer, pid_t pid, int *sample_error,
                         char counters[OTTER_COUNTERS_SIZE]);

// Returns why otter_observer_begin failed and what would allow it. `paranoid`:
// kernel.perf_event_paranoid, or a number below 3. May use `text` for the result.
enum { OTTER_REFUSAL_SIZE = 160 };
const char *otter_observer_refusal(int error, int paranoid, char text[OTTER_REFUSAL_SIZE]);
// Returns kernel.perf_event_paranoid, as otter_observer_refusal expects it.
int otter_observer_paranoid(void);

// Observes until one of `signals`, which must be blocked, is pending.
void otter_observer_wait(struct otter_observer *observer, const sigset_t *signals);
