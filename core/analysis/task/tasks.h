// Explicit tasks by label: their number, duration and delay.
#pragma once

#include "analysis/path/span.h"

// The tasks of one region, that is, of one construct in the source. Times are ticks.
struct otter_task_use {
    uint32_t region;
    uint64_t n; // tasks that ran
    uint64_t n_undeferred;
    uint64_t n_deferred;            // all others; all tasks if the runtime deferred none in the run
    uint64_t n_moved;               // began on a thread other than the one that created them
    uint64_t work;                  // executed, without creating tasks
    uint64_t min, median, p99, max; // work of a task
    uint64_t queued;                // time from ready to start, summed over all tasks
    uint64_t median_queued;
    uint64_t on_span; // work on the heaviest path
    uint32_t creator; // the task that created all of them, or OTTER_NONE
};

struct otter_task_uses {
    struct otter_task_use *items; // one for each region that occurs, in descending order of `work`
    uint32_t n;
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status
otter_task_uses_init(struct otter_task_uses *uses, const struct otter_graph *graph,
                     const struct otter_pieces *pieces, const struct otter_ready *ready,
                     const struct otter_costs *costs, const struct otter_span *span);
void otter_task_uses_finish(struct otter_task_uses *uses);

// Returns the tasks of a region, or NULL.
const struct otter_task_use *otter_task_use_of(const struct otter_task_uses *uses, uint32_t region);
