// The depth at which the tasks of a recursion become too small.
#pragma once

#include "analysis/analysis.h"

// A task without creations is faster than its measured parts, and the next run has other costs.
enum { OTTER_GRAIN_MARGIN = 3 };

struct otter_grain {
    uint32_t depth;     // create tasks down to this depth, from 0; OTTER_NONE: no depth will do
    uint64_t inclusive; // mean ticks of a task of this depth and of all tasks below
    bool is_tree;       // tasks create several of the recursion, so that there are levels
    uint64_t batch;     // tasks of the construct that one wait joins, on average
};

// The recursion of `region` is that construct, and the constructs whose tasks are both above and
// below its tasks. So all constructs of one recursion have one depth.
// `knee`: the least ticks of a task. With a cut-off at the depth, the remaining tasks take
// OTTER_GRAIN_MARGIN times the knee or more on average. No larger depth has this property. In a
// tree without such a depth, `inclusive` is that of depth 0.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_grain_find(const struct otter_analysis *analysis, uint32_t region,
                                   uint64_t knee, struct otter_grain *grain);
// The same with the knee that findings name. A recursion of taskloops is no tree: the runtime may
// divide a taskloop by recursion, whose depth is not the program's.
enum otter_status otter_grain_advise(const struct otter_analysis *analysis, uint32_t region,
                                     struct otter_grain *grain);

// Stores in `depths` the depth of each task in the recursion of `region`; of other tasks
// OTTER_NONE. `overhead`: ticks of each piece that are the runtime's own.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_grain_depths(const struct otter_analysis *analysis, uint32_t region,
                                     uint32_t *depths, uint64_t *overhead);
