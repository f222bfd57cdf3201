// The depth at which the tasks of a recursion become too small.
#pragma once

#include "analysis/analysis.h"

// The margin is needed because a task that creates nothing is faster than the sum of its measured
// parts, and because costs differ from run to run.
enum { OTTER_GRAIN_MARGIN = 3 };

struct otter_grain {
    uint32_t depth;     // the last depth at which to create tasks, from 0; OTTER_NONE: no depth
    uint64_t inclusive; // mean ticks of a task at this depth, with all tasks below
    // If no depth has tasks that are large enough on average, but some tasks are: ticks of the
    // largest task, with all tasks below. Otherwise 0.
    uint64_t largest;
    bool is_tree;   // tasks create several tasks of the recursion, so that there are levels
    uint64_t batch; // average number of the construct's tasks that one wait joins
};

// Returns how many ticks a task at the cut-off must take on average. `cost`: ticks that a task
// costs in the run, with contention.
uint64_t otter_grain_enough(const struct otter_costs *costs, uint64_t cost);

// The recursion of `region` consists of this construct and all constructs whose tasks are both
// above and below its tasks. So all constructs of a recursion share one depth. Finds the largest
// depth at which a cut-off would leave tasks that are large enough on average. If there is none,
// `inclusive` refers to depth 0. A recursion of taskloops does not count as a tree: the runtime may
// divide a taskloop recursively, to a depth that the program does not choose. Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_grain_advise(const struct otter_analysis *analysis, uint32_t region,
                                     uint64_t cost, struct otter_grain *grain);

// Returns for each region whether its tasks create tasks of another construct and are themselves
// created by tasks of another construct. Only such constructs can form a recursion of several
// constructs. The caller frees the array; NULL: out of memory.
unsigned char *otter_grain_mutual(const struct otter_analysis *analysis);

// Stores `region` for all constructs of its recursion with a larger index in `groups`, which has an
// element for each region. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_grain_group(const struct otter_analysis *analysis, uint32_t region,
                                    uint32_t *groups);

// Stores in `depths` the depth of each task in the recursion of `region`, and OTTER_NONE for all
// other tasks. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_grain_depths(const struct otter_analysis *analysis, uint32_t region,
                                     uint32_t *depths);
