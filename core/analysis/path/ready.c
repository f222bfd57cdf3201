// Computes ready times in topological order.
#include "analysis/path/ready.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/node.h"
#include "graph/numbers.h"
#include "trace/schema.h"

bool otter_node_is_later(const struct otter_graph *graph, uint32_t node, uint32_t other)
{
    const struct otter_node *a = &graph->nodes[node], *b = &graph->nodes[other];
    if (a->end != b->end) {
        return a->end > b->end;
    }
    if (a->start != b->start) {
        return a->start > b->start;
    }
    return a->location != b->location ? a->location > b->location : node > other;
}

bool otter_node_is_mpi(const struct otter_graph *graph, uint32_t node)
{
    return graph->nodes[node].kind == OTTER_NODE_SYNC &&
           otter_construct_is_mpi(otter_node_construct(graph, node));
}

bool otter_node_joins(const struct otter_graph *graph, uint32_t node)
{
    uint8_t kind = graph->nodes[node].kind;
    return (kind == OTTER_NODE_SYNC || kind == OTTER_NODE_END || kind == OTTER_NODE_SINK) &&
           otter_node_construct(graph, node) != OTTER_CONSTRUCT_REDUCTION &&
           !otter_node_is_mpi(graph, node);
}

static uint64_t over_at(const struct otter_graph *graph, const struct otter_ready *ready,
                        uint32_t node, enum otter_edge_kind kind)
{
    const struct otter_node *from = &graph->nodes[node];
    if (!otter_node_joins(graph, node)) {
        return otter_edge_leaves(from, kind);
    }
    uint64_t time = ready->times[node] > from->start ? ready->times[node] : from->start;
    return time < from->end ? time : from->end;
}

static void pass_on(const struct otter_graph *graph, struct otter_ready *ready, uint32_t node)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        uint32_t to = graph->edge_to[e];
        uint64_t time = over_at(graph, ready, node, graph->edge_kind[e]);
        bool is_last =
            ready->last[to] == OTTER_NONE || time > ready->times[to] ||
            (time == ready->times[to] && otter_node_is_later(graph, node, ready->last[to]));
        if (is_last) {
            ready->times[to] = time;
            ready->last[to] = node;
        }
    }
}

enum otter_status otter_ready_init(struct otter_ready *ready, const struct otter_graph *graph)
{
    *ready = (struct otter_ready){0};
    ready->times = malloc((graph->n_nodes + 1) * sizeof *ready->times);
    ready->last = otter_numbers_create(graph->n_nodes);
    ready->order = otter_graph_sort(graph, &ready->n_order);
    if (!ready->times || !ready->last || !ready->order) {
        otter_ready_finish(ready);
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        ready->times[i] = graph->nodes[i].start;
    }
    for (uint32_t i = 0; i < ready->n_order; i++) {
        pass_on(graph, ready, ready->order[i]);
    }
    return OTTER_OK;
}

void otter_ready_finish(struct otter_ready *ready)
{
    OTTER_FREE(ready->times, ready->last, ready->order);
    *ready = (struct otter_ready){0};
}
