// Teams: which threads work together, one communicator for each distinct set of members.
//
// Who the members will be is not known when the first of them begins. A team that the same thread forks again with the same size
// nearly always has the same members, so that is assumed; a member that finds itself missing takes (or makes) another
// communicator of that forker and size, which those who come later use too.
#pragma once

#include <stdint.h>

#include "record/thread.h"

struct otter_team_key {
    uint32_t parent; // comm of the forking task
    uint32_t forker; // location
    uint32_t size;
};

// The communicator that the calling thread, member `thread_num`, shall name. OTTER_COMM_ALL_THREADS when none can be defined.
uint32_t otter_team_join(struct otter_thread *thread, struct otter_team_key key,
                         uint32_t thread_num);
