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
    double mean_executing;  // of the mean member of each execution
    uint64_t waiting;       // of all members, in the barrier that follows immediately
    uint64_t on_span;       // work with this label on the heaviest path
};

struct otter_loops {
    struct otter_loop_use *items; // one per region that occurs, in descending order of `executing`
    uint32_t n;
};

// Collects what the events say about loops. Memory: 64 bytes for each member of an execution.
struct otter_loop_walk;

// Returns NULL if the run has no loops, or if out of memory.
struct otter_loop_walk *otter_loop_walk_create(const struct otter_definitions *definitions);
// Pass all events of one location in order, then the events of the next. The signature matches
// otter_event_function. Returns false if out of memory.
bool otter_loop_walk_add(void *walk, const struct otter_event *event);
void otter_loop_walk_destroy(struct otter_loop_walk *walk); // accepts NULL

// `walk` has seen all events of the completed `analysis`, and can be used only once. NULL: reads
// the events again. The caller finishes *loops in any case. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_loops_read(struct otter_loops *loops, const struct otter_analysis *analysis,
                                   struct otter_loop_walk *walk);
void otter_loops_finish(struct otter_loops *loops);
