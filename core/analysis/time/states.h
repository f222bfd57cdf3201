// The time that a thread spends in one state.
#pragma once

#include "analysis/time/timeline.h"

// Returns the name of a state in files for other programs: "executing".
const char *otter_state_name(enum otter_state state);

// Returns the index of the interval at `time`; the first index if `time` is before all intervals.
uint32_t otter_interval_at(const struct otter_thread_line *line, uint64_t time);

// Returns the ticks of the thread in `state` between two times; 0 if `end` is not after `begin`.
uint64_t otter_ticks_in_state(const struct otter_timeline *timeline,
                              const struct otter_thread_line *line, enum otter_state state,
                              uint64_t begin, uint64_t end);

// Returns the index of the first item of `off` that ends after `time`.
uint32_t otter_off_after(const struct otter_thread_line *line, uint64_t time);

// Returns how many ticks of `off` are in [begin, end).
uint64_t otter_off_within(const struct otter_off *off, uint64_t begin, uint64_t end);

// Ticks in which a thread is not on a processor.
struct otter_off_ticks {
    double by_others, by_own; // preempted by other programs, or by threads of this one
    double asleep;
};

// Returns the ticks in [begin, end) in which the thread is not on a processor. `is_crowded`: the
// program's threads preempt each other; otherwise all preemption is by other programs.
struct otter_off_ticks otter_ticks_off(const struct otter_thread_line *line, uint64_t begin,
                                       uint64_t end, bool is_crowded);

// Returns the ticks of [begin, end) in which the thread could have run but was not on a processor.
uint64_t otter_ticks_preempted(const struct otter_thread_line *line, uint64_t begin, uint64_t end);
