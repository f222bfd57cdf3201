// Work, span and burdened span of the fragments view.
#pragma once

#include "analysis/path/costs.h"

struct otter_span {
    uint64_t work;     // ticks: T1
    uint64_t span;     // ticks: T-infinity, the heaviest path
    uint64_t burdened; // ticks: the same, with the cost of each creation, scheduling and join
    uint32_t *path;    // the nodes of the heaviest path, from the first to the last
    uint32_t n_path;
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_span_init(struct otter_span *span, const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_ready *ready, const struct otter_costs *costs);
void otter_span_finish(struct otter_span *span);

// The weight of a node in work and span: execution without creating tasks, or a device's activity.
uint64_t otter_node_work(const struct otter_graph *graph, const struct otter_pieces *pieces,
                         const struct otter_costs *costs, uint32_t node);
