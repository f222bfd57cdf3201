// How long threads waited in a run queue before they were switched in.
//
// The kernel reports switches, but not when a sleeping thread could have run again. But it adds up
// the time that each thread spends in run queues. The sums are read together with the switches. The
// part of a sum that preemptions do not explain is time that the thread waited after waking up. For
// threads that end before the next reading, these waits are unknown.
//
// *Thread*: one at a time.
#pragma once

#include "launcher/observe/perf_events.h"

struct otter_run_queues;

// `proc`: the folder of the kernel's sums, /proc; it must outlive the object. `pid`: a process that
// exists already; the starts of its later threads and processes are added. `n_processors`: greater
// than the number of any processor.
// *Returns* NULL if out of memory.
struct otter_run_queues *otter_run_queues_create(const char *proc, pid_t pid,
                                                 uint32_t n_processors);
void otter_run_queues_destroy(struct otter_run_queues *queues);

// Adds a switch, in order on each processor. The signature matches otter_perf_events_drain.
void otter_run_queues_add(void *queues, const struct otter_kernel_switch *change);

// Calls `visit` for each switch that was added, in order of time. An OTTER_SWITCH_WAITED follows
// each switch of a thread that waited for its processor.
// If memory ran out since the previous pass, the last calls report an OTTER_SWITCH_LOST for each
// processor with missing switches: their number, and the time of the last one.
void otter_run_queues_pass(struct otter_run_queues *queues,
                           void (*visit)(void *user, const struct otter_kernel_switch *change),
                           void *user);
