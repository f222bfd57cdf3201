// The edges of a replay: the graph's edges without dropped barriers and taskwaits.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/free.h"
#include "graph/numbers.h"

struct edge {
    uint32_t from, to;
    enum otter_edge_kind kind;
};

struct edges {
    const struct otter_replay *replay;
    const struct otter_graph *graph;
    uint32_t *reach; // of each dropped node: the wait that joins its tasks instead
    struct {
        OTTER_VECTOR(struct edge);
    } list;
    bool is_short_of_memory;
};

static void add(struct edges *edges, uint32_t from, uint32_t to, enum otter_edge_kind kind)
{
    edges->is_short_of_memory |= !OTTER_VECTOR_ADD(&edges->list, (struct edge){from, to, kind});
}

// Returns the node after `node` in the chain of `task`, or OTTER_NONE. A node that is in several
// chains has the leader's task.
static uint32_t next_of(const struct otter_graph *graph, uint32_t node, uint32_t task)
{
    uint32_t shared = OTTER_NONE;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        uint32_t to = graph->edge_to[e];
        bool is_joined_end = graph->nodes[node].kind == OTTER_NODE_SYNC && // of the last barrier
                             graph->nodes[to].kind == OTTER_NODE_END;
        if (graph->edge_kind[e] != OTTER_EDGE_ORDER && !is_joined_end) {
            continue;
        }
        if (graph->nodes[to].task == task && otter_node_is_piece(&graph->nodes[to])) {
            return to;
        }
        shared = otter_node_is_piece(&graph->nodes[to]) ? shared : to;
    }
    return shared;
}

static bool is_common_wait(const struct otter_graph *graph, uint32_t node)
{
    enum otter_construct construct =
        otter_definitions_construct(graph->definitions, graph->nodes[node].region);
    return graph->nodes[node].kind == OTTER_NODE_END ||
           (graph->nodes[node].kind == OTTER_NODE_SYNC && construct >= OTTER_CONSTRUCT_BARRIER &&
            construct < OTTER_CONSTRUCT_TASKWAIT);
}

// The tasks that a dropped node would join are joined by the next barrier of the team. At the end
// of a task, the search for that barrier continues at the node that joins the task.
static uint32_t find_next_wait(const struct edges *edges, uint32_t node)
{
    const struct otter_graph *graph = edges->graph;
    uint32_t task = graph->nodes[node].task;
    while (node != OTTER_NONE) {
        uint32_t next = next_of(graph, node, task);
        if (next == OTTER_NONE && graph->first_edge[node] < graph->first_edge[node + 1]) {
            next = graph->edge_to[graph->first_edge[node + 1] - 1];
            task = graph->nodes[next].task;
        }
        if (next != OTTER_NONE && is_common_wait(graph, next) &&
            !otter_replay_drops_node(edges->replay, next)) {
            return next;
        }
        node = next;
    }
    return OTTER_NONE;
}

// An edge into a dropped node continues to the next node of the same task.
static void redirect(struct edges *edges, uint32_t from, uint32_t dropped,
                     enum otter_edge_kind kind)
{
    uint32_t task = edges->graph->nodes[from].task, to = dropped;
    while (to != OTTER_NONE && otter_replay_drops_node(edges->replay, to) &&
           kind == OTTER_EDGE_ORDER) {
        to = next_of(edges->graph, to, task);
    }
    if (kind != OTTER_EDGE_ORDER) {
        if (edges->reach[dropped] == OTTER_NONE) {
            edges->reach[dropped] = find_next_wait(edges, dropped);
        }
        to = edges->reach[dropped];
    }
    if (to != OTTER_NONE) {
        add(edges, from, to, kind);
    }
}

static void list_edges(struct edges *edges)
{
    const struct otter_graph *graph = edges->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_replay_drops_node(edges->replay, i)) {
            continue;
        }
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (otter_replay_drops_node(edges->replay, graph->edge_to[e])) {
                redirect(edges, i, graph->edge_to[e], graph->edge_kind[e]);
            } else {
                add(edges, i, graph->edge_to[e], graph->edge_kind[e]);
            }
        }
    }
}

// The list is in order of `from`.
static bool store(struct otter_replay *replay, const struct edges *edges)
{
    uint32_t n = edges->graph->n_nodes;
    replay->own_first_edge = calloc(n + (size_t)2, sizeof *replay->own_first_edge);
    replay->own_edge_to = malloc((edges->list.n + (size_t)1) * sizeof *replay->own_edge_to);
    replay->own_edge_kind = malloc((edges->list.n + (size_t)1) * sizeof *replay->own_edge_kind);
    if (!replay->own_first_edge || !replay->own_edge_to || !replay->own_edge_kind) {
        return false;
    }
    for (uint32_t e = 0; e < edges->list.n; e++) {
        replay->own_first_edge[edges->list.items[e].from + 1]++;
        replay->own_edge_to[e] = edges->list.items[e].to;
        replay->own_edge_kind[e] = (uint8_t)edges->list.items[e].kind;
    }
    for (uint32_t i = 0; i < n; i++) {
        replay->own_first_edge[i + 1] += replay->own_first_edge[i];
    }
    replay->first_edge = replay->own_first_edge;
    replay->edge_to = replay->own_edge_to;
    replay->edge_kind = replay->own_edge_kind;
    return true;
}

static void free_own(struct otter_replay *replay)
{
    OTTER_FREE(replay->own_first_edge, replay->own_edge_to, replay->own_edge_kind);
    replay->own_first_edge = replay->own_edge_to = NULL;
    replay->own_edge_kind = NULL;
}

enum otter_status otter_replay_make_edges(struct otter_replay *replay)
{
    const struct otter_graph *graph = replay->analysis->graph;
    uint32_t n_dropped = 0;
    free_own(replay);
    for (uint32_t i = 0; i < graph->n_nodes && replay->has_drops; i++) {
        n_dropped += otter_replay_drops_node(replay, i);
    }
    replay->first_edge = graph->first_edge;
    replay->edge_to = graph->edge_to;
    replay->edge_kind = graph->edge_kind;
    replay->drops_waits = n_dropped > 0;
    bool has_cycle = replay->analysis->ready.n_order < graph->n_nodes;
    if (n_dropped == 0 || has_cycle) {
        return OTTER_OK;
    }
    struct edges edges = {
        .replay = replay, .graph = graph, .reach = otter_numbers_create(graph->n_nodes)};
    if (edges.reach) {
        list_edges(&edges);
    }
    bool is_good = edges.reach && !edges.is_short_of_memory && store(replay, &edges);
    free(edges.reach);
    free(edges.list.items);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
