// Parallel regions and the kernels that fork them: how evenly their threads worked.
#pragma once

#include "analysis/timeline.h"

// All executions of the parallel regions of one label. Times are ticks, sums over executions.
struct otter_region_use {
    uint32_t label;         // a region index: the kernel that forked, else the parallel region
    uint64_t n;             // executions
    uint64_t n_members;     // of all executions
    uint64_t wall;          // from the first begin to the last end of the members
    uint64_t executing;     // of all members
    uint64_t waiting;       // of all members, in barriers and other waits
    uint64_t lock;          // of all members
    uint64_t imbalance;     // waiting beyond that of the member that waited least
    uint64_t max_executing; // of the busiest member of each execution
    uint64_t n_with_tasks;  // executions in which a member executed an explicit task
};

struct otter_region_uses {
    struct otter_region_use *items; // one for each label that occurs, the longest wall first
    uint32_t n;
    uint64_t imbalance; // of all that are not nested in another
};

// After otter_timeline_inherit. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_region_uses_init(struct otter_region_uses *uses,
                                         const struct otter_timeline *timeline,
                                         const struct otter_graph *graph);
void otter_region_uses_finish(struct otter_region_uses *uses);
