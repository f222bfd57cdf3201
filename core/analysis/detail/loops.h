// Worksharing loops, sections and other shared work: how evenly the members of a team executed it.
#pragma once

#include "analysis/analysis.h"

// All executions of one construct. Times are ticks, sums over executions.
struct otter_loop_use {
    uint32_t region;
    uint64_t n;             // executions, each by a team
    uint64_t n_members;     // of all executions
    uint64_t iterations;    // of all executions; 0: not recorded
    uint64_t chunks;        // chunks or sections begun by members; 0: not recorded
    uint64_t wall;          // from the first start to the last end among the members
    uint64_t executing;     // of all members
    uint64_t max_executing; // of the busiest member of each execution
    uint64_t waiting;       // of all members, in the barrier that follows immediately
    uint64_t on_span;       // work with this label on the heaviest path
};

struct otter_loops {
    struct otter_loop_use *items; // one per region that occurs, the longest execution first
    uint32_t n;
};

// Reads all events of `analysis`, which is complete. Memory: 64 bytes for each member of an
// execution. The caller finishes *loops in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_loops_read(struct otter_loops *loops,
                                   const struct otter_analysis *analysis);
void otter_loops_finish(struct otter_loops *loops);
