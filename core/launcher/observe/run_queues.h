// How long threads waited in a run queue before they were switched in.
//
// The kernel reports switches, but not when a sleeping thread could have run again. It adds up the
// time that each thread spends in run queues, though. The sums are read when switches are, and what
// preemptions do not explain is the waiting of threads that woke up. Threads that end before the
// next reading have no sum, and so no such waits.
//
// *Thread*: one at a time.
#pragma once

#include "launcher/observe/perf_events.h"

struct otter_run_queues;

// `proc`: the folder of the kernel's sums, /proc; it must outlive the object. `pid`: a process that
// exists already; the starts of its later threads and processes are added. `n_processors`: above
// the numbers of all processors.
// *Returns* NULL if out of memory.
struct otter_run_queues *otter_run_queues_create(const char *proc, pid_t pid,
                                                 uint32_t n_processors);
void otter_run_queues_destroy(struct otter_run_queues *queues);

// Adds a switch, in order on each processor. The signature matches otter_perf_events_drain.
void otter_run_queues_add(void *queues, const struct otter_kernel_switch *change);

// Calls `visit` for each switch that was added, in order of time. An OTTER_SWITCH_WAITED follows
// each switch of a thread that waited for its processor.
// If memory ran out meanwhile, the last calls have an OTTER_SWITCH_LOST for each processor with
// missing switches: how many, and the time of the last one.
void otter_run_queues_pass(struct otter_run_queues *queues,
                           void (*visit)(void *user, const struct otter_kernel_switch *change),
                           void *user);
