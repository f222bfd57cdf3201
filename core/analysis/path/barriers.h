// The waiting that barriers inside parallel regions cause.
#pragma once

#include "analysis/path/pieces.h"
#include "analysis/path/ready.h"

// All executions of the barriers of one label, in regions without explicit tasks and without
// nested regions.
struct otter_barrier_use {
    uint32_t label;  // a region index
    uint32_t around; // a parallel region that contains one of these barriers
    uint64_t n;      // executions
    // Ticks of threads. A region's gain is the sum of the longest parts between barriers, minus the
    // largest sum of one member, times the number of members. Its barriers share the gain in
    // proportion to the waiting in each.
    uint64_t gain;
};

struct otter_barrier_uses {
    struct otter_barrier_use *items; // one for each label with a gain
    uint32_t n;
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_barrier_uses_init(struct otter_barrier_uses *uses,
                                          const struct otter_graph *graph,
                                          const struct otter_pieces *pieces,
                                          const struct otter_ready *ready);
void otter_barrier_uses_finish(struct otter_barrier_uses *uses);
