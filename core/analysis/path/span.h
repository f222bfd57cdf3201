// Work, span and burdened span of the fragments view.
#pragma once

#include "analysis/path/costs.h"
#include "analysis/path/exclusions.h"

struct otter_span {
    uint64_t work;     // ticks: T1
    uint64_t span;     // ticks: T-infinity, the heaviest path, or tasks that exclude each other
    uint64_t burdened; // ticks: the same, with the cost of each creation, scheduling and join
    uint32_t *path;    // the nodes of the heaviest path, from the first to the last
    uint32_t n_path;
    // Tasks that exclude each other and execute for longer than the heaviest path; then they are
    // the path. OTTER_NONE: there are no such tasks.
    uint32_t exclusion;
    uint64_t ordered; // ticks: the heaviest path of the graph
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_span_init(struct otter_span *span, const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_ready *ready, const struct otter_costs *costs,
                                  const struct otter_exclusions *exclusions);
void otter_span_finish(struct otter_span *span);

// Returns the weight of a node in work and span: its execution without the creation of tasks, or
// the time of its device operation.
uint64_t otter_node_work(const struct otter_graph *graph, const struct otter_pieces *pieces,
                         const struct otter_costs *costs, uint32_t node);
