// Longest paths over the fragments view.
#include "analysis/path/span.h"

#include <stdlib.h>
#include <string.h>

#include "graph/numbers.h"

uint64_t otter_node_work(const struct otter_graph *graph, const struct otter_pieces *pieces,
                         const struct otter_costs *costs, uint32_t node)
{
    if (graph->nodes[node].kind == OTTER_NODE_DEVICE) {
        return graph->nodes[node].end - graph->nodes[node].start;
    }
    return otter_slim_get(&pieces->work, node) - costs->creating_in[node];
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
    const struct otter_pieces *pieces;
    const struct otter_ready *ready;
    const struct otter_costs *costs;
    uint64_t *lengths; // the heaviest path to the end of each node
    uint32_t *before;  // the predecessor of each node on that path
};

static uint64_t length_to(const struct paths *paths, uint32_t node)
{
    return node != OTTER_NONE ? paths->lengths[node] : 0;
}

// Returns whether a path of `length` ticks after `node` is heavier than another.
static bool is_heavier(const struct otter_graph *graph, uint32_t node, uint64_t length,
                       uint32_t other, uint64_t other_length)
{
    return other == OTTER_NONE || length > other_length ||
           (length == other_length && otter_node_is_later(graph, node, other));
}

// Returns the ticks of the heaviest path, including the creations in its pieces.
static uint64_t find_burdened(const struct paths *paths)
{
    const struct otter_graph *graph = paths->graph;
    uint64_t longest = 0;
    for (uint32_t i = 0; i < paths->ready->n_order; i++) {
        uint32_t node = paths->ready->order[i];
        uint64_t length = paths->lengths[node] +
                          otter_node_work(graph, paths->pieces, paths->costs, node) +
                          paths->costs->creating_in[node];
        longest = length > longest ? length : longest;
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            uint64_t other = length + burden(paths->costs, graph, graph->edge_kind[e], to);
            paths->lengths[to] = other > paths->lengths[to] ? other : paths->lengths[to];
        }
    }
    return longest;
}

// Returns the last node of the heaviest path; OTTER_NONE for an empty graph.
static uint32_t find_longest(const struct paths *paths)
{
    const struct otter_graph *graph = paths->graph;
    uint32_t last = OTTER_NONE;
    for (uint32_t i = 0; i < paths->ready->n_order; i++) {
        uint32_t node = paths->ready->order[i];
        uint64_t length =
            paths->lengths[node] + otter_node_work(graph, paths->pieces, paths->costs, node);
        paths->lengths[node] = length;
        if (is_heavier(graph, node, length, last, length_to(paths, last))) {
            last = node;
        }
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (is_heavier(graph, node, length, paths->before[to], paths->lengths[to])) {
                paths->lengths[to] = length;
                paths->before[to] = node;
            }
        }
    }
    return last;
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

// Tasks that exclude each other execute one after another, in any order.
static bool add_exclusions(struct otter_span *span, const struct otter_exclusions *exclusions,
                           const struct otter_costs *costs, const uint64_t *work)
{
    for (uint32_t i = 0; i < exclusions->n; i++) {
        const struct otter_exclusion *exclusion = &exclusions->items[i];
        uint64_t sum = otter_exclusion_sum(exclusions, i, work);
        uint64_t burdened = sum + exclusion->n_tasks * costs->scheduling;
        span->burdened = burdened > span->burdened ? burdened : span->burdened;
        if (sum > span->span) {
            span->span = sum;
            span->exclusion = i;
        }
    }
    if (span->exclusion == OTTER_NONE) {
        return true;
    }
    const struct otter_exclusion *exclusion = &exclusions->items[span->exclusion];
    free(span->path);
    span->n_path = exclusion->n_nodes;
    span->path = otter_numbers_create(span->n_path);
    for (uint32_t i = 0; i < span->n_path && span->path; i++) {
        span->path[i] = exclusions->nodes[exclusion->first_node + i];
    }
    return span->path;
}

enum otter_status otter_span_init(struct otter_span *span, const struct otter_graph *graph,
                                  const struct otter_pieces *pieces,
                                  const struct otter_ready *ready, const struct otter_costs *costs,
                                  const struct otter_exclusions *exclusions)
{
    *span = (struct otter_span){.exclusion = OTTER_NONE};
    size_t n = graph->n_nodes + (size_t)1;
    struct paths paths = {.graph = graph,
                          .pieces = pieces,
                          .ready = ready,
                          .costs = costs,
                          .lengths = calloc(n, sizeof *paths.lengths)};
    bool is_good = paths.lengths;
    if (is_good) {
        span->burdened = find_burdened(&paths);
        memset(paths.lengths, 0, n * sizeof *paths.lengths);
        paths.before = otter_numbers_create(graph->n_nodes);
        is_good = paths.before;
    }
    if (is_good) {
        uint32_t last = find_longest(&paths);
        span->span = span->ordered = length_to(&paths, last);
        is_good = store_path(span, &paths, last);
    }
    if (is_good) {
        for (uint32_t i = 0; i < graph->n_nodes; i++) {
            paths.lengths[i] = otter_node_work(graph, pieces, costs, i);
            span->work += paths.lengths[i];
        }
        is_good = add_exclusions(span, exclusions, costs, paths.lengths);
    }
    free(paths.lengths);
    free(paths.before);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_span_finish(struct otter_span *span)
{
    free(span->path);
    *span = (struct otter_span){0};
}
