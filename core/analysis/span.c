// Longest paths over the fragments view.
#include "analysis/span.h"

#include <stdlib.h>
#include <string.h>

uint64_t otter_node_work(const struct otter_graph *graph, const struct otter_pieces *pieces,
                         const struct otter_costs *costs, uint32_t node)
{
    if (graph->nodes[node].kind == OTTER_NODE_DEVICE) {
        return graph->nodes[node].end - graph->nodes[node].start;
    }
    return pieces->work[node] - costs->creating_in[node];
}

static uint64_t burden(const struct otter_costs *costs, const struct otter_graph *graph,
                       enum otter_edge_kind kind, uint32_t to)
{
    switch (kind) {
    case OTTER_EDGE_CREATION:
        return otter_node_begins_task(graph, to) ? costs->creation + costs->scheduling : 0;
    case OTTER_EDGE_DEPENDENCE:
        return graph->nodes[to].kind == OTTER_NODE_FRAGMENT ? costs->scheduling : 0;
    case OTTER_EDGE_JOIN: return costs->join;
    default: return 0;
    }
}

struct paths {
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    uint64_t *weights;
    uint64_t *lengths; // of the heaviest path to the end of each node
    uint32_t *before;  // on that path; may be NULL
};

// Returns the node at whose end the heaviest path ends, OTTER_NONE for an empty graph.
static uint32_t find_longest(const struct paths *paths, const struct otter_costs *costs)
{
    const struct otter_graph *graph = paths->graph;
    uint32_t last = OTTER_NONE;
    memset(paths->lengths, 0, (graph->n_nodes + 1) * sizeof *paths->lengths);
    for (uint32_t i = 0; i < paths->ready->n_order; i++) {
        uint32_t node = paths->ready->order[i];
        paths->lengths[node] += paths->weights[node];
        if (last == OTTER_NONE || paths->lengths[node] > paths->lengths[last]) {
            last = node;
        }
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            uint64_t length =
                paths->lengths[node] + (costs ? burden(costs, graph, graph->edge_kind[e], to) : 0);
            if (length > paths->lengths[to] || (paths->before && paths->before[to] == OTTER_NONE)) {
                paths->lengths[to] = length;
                if (paths->before) {
                    paths->before[to] = node;
                }
            }
        }
    }
    return last;
}

// The creator's path has the creations that it executes.
static uint64_t find_burdened(const struct paths *paths, const struct otter_costs *costs)
{
    struct paths burdened = *paths;
    burdened.before = NULL;
    for (uint32_t i = 0; i < paths->graph->n_nodes; i++) {
        burdened.weights[i] += costs->creating_in[i];
    }
    uint32_t last = find_longest(&burdened, costs);
    for (uint32_t i = 0; i < paths->graph->n_nodes; i++) {
        burdened.weights[i] -= costs->creating_in[i];
    }
    return last != OTTER_NONE ? paths->lengths[last] : 0;
}

static bool store_path(struct otter_span *span, const struct paths *paths, uint32_t last)
{
    for (uint32_t node = last; node != OTTER_NONE; node = paths->before[node]) {
        span->n_path++;
    }
    span->path = malloc((span->n_path + 1) * sizeof *span->path);
    uint32_t i = span->n_path;
    for (uint32_t node = last; node != OTTER_NONE && span->path; node = paths->before[node]) {
        span->path[--i] = node;
    }
    return span->path;
}

enum otter_status otter_span_init(struct otter_span *span, const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_ready *ready, const struct otter_costs *costs)
{
    *span = (struct otter_span){0};
    size_t n = graph->n_nodes + 1;
    struct paths paths = {graph, ready, malloc(n * sizeof(uint64_t)), malloc(n * sizeof(uint64_t)),
                          malloc(n * sizeof(uint32_t))};
    bool is_good = paths.weights && paths.lengths && paths.before;
    if (is_good) {
        for (uint32_t i = 0; i < graph->n_nodes; i++) {
            paths.weights[i] = otter_node_work(graph, pieces, costs, i);
            span->work += paths.weights[i];
        }
        span->burdened = find_burdened(&paths, costs);
        memset(paths.before, 0xff, n * sizeof *paths.before);
        uint32_t last = find_longest(&paths, NULL);
        span->span = last != OTTER_NONE ? paths.lengths[last] : 0;
        is_good = store_path(span, &paths, last);
    }
    free(paths.weights);
    free(paths.lengths);
    free(paths.before);
    if (!is_good) {
        otter_span_finish(span);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_span_finish(struct otter_span *span)
{
    free(span->path);
    *span = (struct otter_span){0};
}
