// How long threads wait for each other on processors that no other process uses.
#pragma once

#include "analysis/time/timeline.h"

// Finds the ticks in which OpenMP threads of the archive would wait for one of `n_processors` even
// without other processes. Of k threads that execute or could execute, including busy threads
// without OpenMP, k - n_processors wait then. While only n of them execute, the program makes
// progress at n / n_processors of that rate. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_turns_find(const struct otter_timeline *timeline, uint32_t n_processors,
                                   uint64_t *ticks);
