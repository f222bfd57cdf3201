// Teams: one communicator for each distinct set of members.
//
// When the first member begins, the others are not known yet. If the same thread has forked a team
// of the same size before, Otter assumes the same members, which is nearly always right. A member
// that is not in the assumed team joins another known team of this thread and size, or else defines
// a new one, which later members may join.
#pragma once

#include <stdint.h>

#include "record/thread/thread.h"

struct otter_team_key {
    uint32_t parent; // the communicator of the forking task
    uint32_t forker; // the forking thread's location
    uint32_t size;
};

// Defines communicator `id` in the journal. *Returns* false if that fails.
typedef bool otter_team_definer(uint32_t id, const void *user);

// Calls `define` with the next communicator number, under a lock, so that the journal's lines are
// in order of these numbers. *Returns* the number; OTTER_COMM_ALL_THREADS when `define` returns
// false. *Thread*: any.
uint32_t otter_team_number(otter_team_definer *define, const void *user);

// *Returns* the communicator of the calling thread, member `thread_num`; OTTER_COMM_ALL_THREADS
// when none can be defined.
uint32_t otter_team_join(struct otter_thread *thread, struct otter_team_key key,
                         uint32_t thread_num);
