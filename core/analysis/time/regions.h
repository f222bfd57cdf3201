// Parallel regions and the kernels that fork them: how evenly their threads worked.
#pragma once

#include "analysis/time/timeline.h"

// All executions of the parallel regions of one label. Times are ticks, sums over executions.
struct otter_region_use {
    // a region index: the kernel that forked it, otherwise the parallel region
    uint32_t label;
    uint32_t outer;         // label of the region around all executions, or OTTER_NONE
    uint64_t n;             // executions
    uint64_t n_members;     // of all executions
    uint64_t wall;          // from the first start to the last end among the members
    uint64_t executing;     // of all members
    uint64_t executed;      // the part of executing in which they were not preempted
    uint64_t waiting;       // of all members, in barriers and other waits
    uint64_t lock;          // of all members
    uint64_t imbalance;     // waiting in excess of the member that waited least
    uint64_t max_executing; // of the busiest member of each execution
    double mean_executing;  // of the mean member of each execution
    uint64_t unequal;       // of all members: how much less they execute than the busiest
    uint64_t n_nested;      // executions in which a member forks another region
    uint64_t n_all_nested;  // executions in which each member forks another region
    uint64_t n_with_tasks;  // executions in which a member executed an explicit task
    uint64_t thread_time;   // wall of each execution x its members
    uint64_t late;          // of all members: from the first member's start to their own
    uint64_t late_on;       // the part of late in which they were not preempted
    uint64_t n_alone;       // executions by one member inside another region
};

// A thread's waiting belongs only to the innermost region that the thread is in.

struct otter_region_uses {
    struct otter_region_use *items; // one for each label that occurs, in descending order of `wall`
    uint32_t n;
    uint64_t imbalance; // of all
    uint64_t late;      // of all
    // By label, one for each region.
    uint32_t *around;   // the label of a region that executed it, or OTTER_NONE
    uint64_t *in_alone; // ticks executed in regions of one member inside another region
};

// Call after otter_timeline_inherit. Sets the label of each part of a thread in a region.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_region_uses_init(struct otter_region_uses *uses,
                                         const struct otter_timeline *timeline,
                                         const struct otter_graph *graph);
void otter_region_uses_finish(struct otter_region_uses *uses);
