// The order of iterations in doacross loops, and of ordered regions.
#pragma once

#include "graph/build/edges/chain.h"
#include "graph/build/edges/depend.h"
#include "graph/build/edges/team.h"

// A source or sink of a doacross loop, or an end or begin of an ordered region.
struct otter_doacross_point {
    // For a source or sink, a hash of the iteration's numbers. For the end of an ordered region,
    // the order of its acquisition of the lock; for the start, the order of the previous
    // acquisition.
    uint64_t iteration;
    uint32_t node, member;
    uint32_t team; // fork of the member's team, known after the last location
    uint32_t loop; // running number of the loop among the member's loops
    bool is_source;
};

struct otter_doacross {
    OTTER_LIST(struct otter_doacross_point) points;
    uint64_t acquired_time;  // time of the last acquisition of a lock on the location
    uint32_t acquired_order; // running number of that acquisition of the lock
};

// *Returns* the hash of an iteration's numbers.
uint64_t otter_doacross_iteration(const struct otter_entry *entries, uint32_t n);
// Stores the current node as a source or a sink of the iteration.
void otter_doacross_add(struct otter_doacross *doacross, struct otter_store *store,
                        const struct otter_context *context, uint64_t iteration, bool is_source);
// Adds the edges from sources to sinks, after the teams are known.
void otter_doacross_link(struct otter_doacross *doacross, struct otter_store *store,
                         const struct otter_teams *teams);
