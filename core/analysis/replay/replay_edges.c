// The edges of a replay: the graph's edges without dropped barriers and taskwaits.
#include <stdlib.h>

#include "analysis/replay/replay_plan.h"
#include "base/free.h"
#include "graph/numbers.h"
#include "trace/schema.h"

struct edges {
    struct otter_replay *replay;
    const struct otter_graph *graph;
    // of each node: the next wait that joins the tasks of a dropped node; OTTER_NONE: not yet known
    uint32_t *reach;
    struct {
        OTTER_VECTOR(uint32_t);
    } to;
    struct {
        OTTER_VECTOR(uint8_t);
    } kinds;
    bool *is_unordered; // of each region: a doacross loop with a dropped wait
    bool is_short_of_memory;
};

static void add(struct edges *edges, uint32_t to, enum otter_edge_kind kind)
{
    edges->is_short_of_memory |=
        !OTTER_VECTOR_ADD(&edges->to, to) || !OTTER_VECTOR_ADD(&edges->kinds, (uint8_t)kind);
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
           (graph->nodes[node].kind == OTTER_NODE_SYNC && otter_construct_is_barrier(construct));
}

// A node in the chain of a task, which leads to a node of another task at the end.
struct walk {
    uint32_t node, task;
};

static void step(const struct otter_graph *graph, struct walk *walk)
{
    uint32_t next = next_of(graph, walk->node, walk->task);
    if (next == OTTER_NONE && graph->first_edge[walk->node] < graph->first_edge[walk->node + 1]) {
        next = graph->edge_to[graph->first_edge[walk->node + 1] - 1];
        walk->task = graph->nodes[next].task;
    }
    walk->node = next;
}

// Returns where to keep the next wait after this node; NULL for a node of several chains in the
// chain of a member other than the leader.
static uint32_t *reach_at(const struct edges *edges, const struct walk *walk)
{
    bool is_own = edges->graph->nodes[walk->node].task == walk->task;
    return is_own ? &edges->reach[walk->node] : NULL;
}

// The tasks that a dropped node would join are joined by the next barrier of the team. At the end
// of a task, the search for that barrier continues at the node that joins the task. Returns n_nodes
// if there is none. Keeps the result for all nodes that it passes.
static uint32_t find_next_wait(const struct edges *edges, uint32_t node)
{
    const struct otter_graph *graph = edges->graph;
    const struct walk begin = {node, graph->nodes[node].task};
    struct walk walk = begin;
    uint32_t found = graph->n_nodes, *reach;
    for (; walk.node != OTTER_NONE; step(graph, &walk)) {
        reach = reach_at(edges, &walk);
        bool is_wait =
            is_common_wait(graph, walk.node) && !otter_replay_drops_node(edges->replay, walk.node);
        if (is_wait || (reach && *reach != OTTER_NONE)) {
            found = is_wait ? walk.node : *reach;
            break;
        }
    }
    uint32_t end = walk.node;
    for (walk = begin; walk.node != end; step(graph, &walk)) {
        reach = reach_at(edges, &walk);
        if (reach) {
            *reach = found;
        }
    }
    return found;
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
        to = find_next_wait(edges, dropped);
    }
    if (to < edges->graph->n_nodes) {
        add(edges, to, kind);
    }
}

// Lists the doacross loops with a dropped wait. Returns their number; 0 if out of memory.
static uint32_t list_unordered(struct edges *edges)
{
    const struct otter_analysis *analysis = edges->replay->analysis;
    uint32_t n = 0, n_regions = (uint32_t)analysis->definitions->n_regions;
    edges->is_unordered = calloc(n_regions + (size_t)1, sizeof *edges->is_unordered);
    edges->is_short_of_memory |= !edges->is_unordered;
    for (uint32_t i = 0; i < n_regions && edges->is_unordered; i++) {
        uint32_t loop = analysis->marks.sinks[i];
        if (loop < n_regions && otter_replay_drops(edges->replay, i)) {
            edges->is_unordered[loop] = true;
            n++;
        }
    }
    return n;
}

static bool drops_order(const struct edges *edges, uint32_t node, enum otter_edge_kind kind)
{
    uint32_t region = edges->graph->nodes[node].region;
    return kind == OTTER_EDGE_DOACROSS && region < edges->graph->definitions->n_regions &&
           edges->is_unordered[region];
}

static void list_edges(struct edges *edges)
{
    const struct otter_graph *graph = edges->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        edges->replay->own_first_edge[i] = edges->to.n;
        if (otter_replay_drops_node(edges->replay, i)) {
            continue;
        }
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (otter_replay_drops_node(edges->replay, to)) {
                redirect(edges, i, to, graph->edge_kind[e]);
            } else if (!drops_order(edges, to, graph->edge_kind[e])) {
                add(edges, to, graph->edge_kind[e]);
            }
        }
    }
    edges->replay->own_first_edge[graph->n_nodes] = edges->to.n;
}

static bool make_own(struct otter_replay *replay, struct edges *edges)
{
    uint32_t n = edges->graph->n_nodes;
    edges->reach = otter_numbers_create(n);
    replay->own_first_edge = otter_numbers_create(n + (size_t)1);
    if (edges->reach && replay->own_first_edge) {
        list_edges(edges);
    }
    OTTER_VECTOR_SHRINK(&edges->to);
    OTTER_VECTOR_SHRINK(&edges->kinds);
    replay->own_edge_to = edges->to.items;
    replay->own_edge_kind = edges->kinds.items;
    replay->first_edge = replay->own_first_edge;
    replay->edge_to = replay->own_edge_to;
    replay->edge_kind = replay->own_edge_kind;
    return edges->reach && replay->own_first_edge && !edges->is_short_of_memory;
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
    struct edges edges = {.replay = replay, .graph = graph};
    free_own(replay);
    uint32_t n_dropped = replay->has_drops ? list_unordered(&edges) : 0;
    for (uint32_t i = 0; i < graph->n_nodes && replay->has_drops; i++) {
        n_dropped += otter_replay_drops_node(replay, i);
    }
    replay->first_edge = graph->first_edge;
    replay->edge_to = graph->edge_to;
    replay->edge_kind = graph->edge_kind;
    replay->drops_waits = n_dropped > 0;
    bool has_cycle = replay->analysis->ready.n_order < graph->n_nodes;
    bool is_good = !edges.is_short_of_memory;
    if (n_dropped > 0 && !has_cycle && is_good) {
        is_good = make_own(replay, &edges);
    }
    OTTER_FREE(edges.reach, edges.is_unordered);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
