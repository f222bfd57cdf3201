// The time of a thread by state: each tick from its first to its last event has exactly one state.
#pragma once

#include "check/check.h"

struct otter_states {
    uint64_t since; // when the state last changed
    struct otter_check_times times;
};

// Ends the current span at `time`, as a pause.
void otter_states_pause(struct otter_states *states, uint64_t time);

void otter_states_begin(struct otter_states *states, uint64_t time);

// Ends the current span at `time`.
// - `has_open`: a region was open; `innermost`: construct of the innermost open region
// - `is_forking`: the thread had forked a team, and its own part had not begun or had already ended
void otter_states_pass(struct otter_states *states, uint64_t time, bool has_open,
                       enum otter_construct innermost, bool is_forking);

// Moves all but `running` ticks from the running to the forking time.
void otter_states_was_forking(struct otter_states *states, uint64_t running);

uint64_t otter_states_sum(const struct otter_states *states);

// Returns the time that fragments of the graph cover: running, and waiting for locks.
uint64_t otter_states_of_fragments(const struct otter_states *states);

// Adds one thread's times to the sum of all threads.
void otter_states_add(struct otter_check_times *sum, const struct otter_states *states,
                      uint64_t wall);
