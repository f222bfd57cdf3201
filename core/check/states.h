// What a thread does, and for how long: each tick of its life is in one state.
#pragma once

#include "check/check.h"

struct otter_states {
    uint64_t since; // when the state last changed
    struct otter_check_times times;
};

// Recording is off: time goes on to `time`.
void otter_states_pause(struct otter_states *states, uint64_t time);

void otter_states_begin(struct otter_states *states, uint64_t time);

// Time goes on to `time`. Meanwhile a region was open or none, the innermost of this construct; `is_forking`: the thread has
// forked a team and has not begun, or has ended, its own part in it.
void otter_states_pass(struct otter_states *states, uint64_t time, bool has_open,
                       enum otter_construct innermost, bool is_forking);

// What was taken for execution since it was `running` was the end of a region.
void otter_states_was_forking(struct otter_states *states, uint64_t running);

uint64_t otter_states_sum(const struct otter_states *states);

// The time that is fragments' in the graph: waiting for locks is part of what a task does.
uint64_t otter_states_of_fragments(const struct otter_states *states);

// Adds one thread to the sum of all.
void otter_states_add(struct otter_check_times *sum, const struct otter_states *states,
                      uint64_t wall);
