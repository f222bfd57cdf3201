// The grain of explicit tasks by construct: the work of deferred tasks, and the number of
// undeferred tasks that are not a cut-off of a recursion.
#pragma once

#include "analysis/task/tasks.h"

// Sums over all tasks of a construct.
struct otter_task_grain {
    uint64_t work; // ticks of its deferred tasks, with the undeferred tasks that they execute
    // undeferred tasks, except those that are the cut-off of a recursion in a deferred task
    uint64_t n_lone;
};

struct otter_task_grains {
    struct otter_task_grain *items; // of each region
    bool *is_lone;                  // of each task: counts in n_lone
};

// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_task_grains_init(struct otter_task_grains *grains,
                                         const struct otter_graph *graph,
                                         const struct otter_pieces *pieces,
                                         const struct otter_ready *ready,
                                         const struct otter_costs *costs);
void otter_task_grains_finish(struct otter_task_grains *grains);
