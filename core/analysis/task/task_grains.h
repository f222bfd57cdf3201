// The grain of explicit tasks by construct: what a deferred task executes, and tasks that are
// undeferred though they end no recursion.
#pragma once

#include "analysis/task/tasks.h"

// Sums over all tasks of a construct.
struct otter_task_grain {
    uint64_t work;   // ticks of its deferred tasks, with the undeferred tasks that they execute
    uint64_t n_lone; // undeferred tasks; a recursion's inside a deferred task are its cut-off
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
