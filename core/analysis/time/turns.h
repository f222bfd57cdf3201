// How long threads wait for each other on processors that no other process uses.
#pragma once

#include "analysis/time/timeline.h"

// Finds the ticks in which OpenMP threads of the archive have to wait for one of `n_processors`
// because others execute, including busy threads without OpenMP. Threads become ready at the same
// times as in the run, execute for as long as they certainly did before they slept, and share the
// processors equally. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_turns_find(const struct otter_timeline *timeline, uint32_t n_processors,
                                   uint64_t *ticks);
