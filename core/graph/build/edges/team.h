// The teams: forks, members and their barriers.
#pragma once

#include "graph/build/edges/store.h"

struct otter_fork {
    uint64_t time, end_time;
    uint32_t location;
    uint32_t enclosing;  // the fork that was open on the forking location, or OTTER_NONE
    uint32_t comm;       // communicator of the member on the forking thread
    uint32_t task;       // the forking task
    uint32_t depth;      // depth of the stack of tasks on the forking location
    uint32_t begin, end; // start and end node of the region
    uint32_t first_member, n_members; // first index in `sorted_members`
    uint32_t join;   // node that waits for all tasks of the team: its last barrier, or its end
    uint32_t number; // running number among the regions that its location forked, from 1
    bool has_comm;
    bool is_late; // the fork was recorded late, at the end of a pause
};

struct otter_member {
    uint64_t time; // time at which the member began
    uint32_t location, comm, task;
    uint32_t fork;          // OTTER_NONE until otter_forks_find()
    uint32_t first_barrier; // index in `barriers`, or OTTER_NONE
    uint32_t last_barrier;
    uint32_t n_barriers; // includes barriers during pauses
    uint64_t region;     // location << 32 | number of the fork; 0: unknown
    bool is_cut;         // the member ended during a pause, possibly after more barriers
    bool has_detached;   // has a detached task for which only the end of the region waits
};

struct otter_barrier {
    uint32_t node;
    uint32_t next;    // the member's next barrier
    uint32_t ordinal; // running number in the member, from 0
    bool is_join;     // ends the region
    bool may_be_join; // the member's last barrier, of a kind that may end a region
};

struct otter_teams {
    OTTER_LIST(struct otter_fork) forks;
    OTTER_LIST(struct otter_member) members;
    OTTER_LIST(struct otter_barrier) barriers;
    uint32_t *sorted_members; // indexes of members, grouped by fork
    uint32_t n_sorted_members;
};

void otter_teams_add_barrier(struct otter_teams *teams, struct otter_store *store, uint32_t member,
                             uint32_t node, bool is_join);

// Builds the teams after otter_forks_find(). Merges barriers: alias[node] is the node that replaces
// `node`.
void otter_teams_build(struct otter_teams *teams, struct otter_store *store, uint32_t *alias);
