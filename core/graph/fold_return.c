// An undeferred task may be followed by nothing but the return to its creator. Where teams have one thread there are no returns, and
// what waits for the task joins it: so it must be when returns are left out.
#include "graph/fold_internal.h"

#include <stdlib.h>
#include <string.h>

#include "graph/node.h"

// For the nodes of a member's chain the barrier that comes next.
static void find_barriers(const struct fold *fold, uint32_t member, uint32_t *barriers)
{
    uint32_t start = fold->graph->tasks[member].first_node;
    uint32_t node = start;
    for (uint32_t n = 0; node != OTTER_NONE && n < fold->graph->n_nodes; n++) {
        uint32_t next = fold_after(fold, member, node);
        if (next != OTTER_NONE && !(fold->marks[next] & FOLD_BARRIER)) {
            node = next;
            continue;
        }
        while (start != node) {
            barriers[start] = next; // of a barrier it is not the same for all members: nobody asks
            start = fold_after(fold, member, start);
        }
        barriers[node] = next;
        start = node = next;
    }
}

static bool has_only_returns(const struct otter_graph *graph, uint32_t node)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        if (graph->edge_kind[e] != OTTER_EDGE_RETURN) {
            return false;
        }
    }
    return graph->first_edge[node] < graph->first_edge[node + 1];
}

// The barrier at which a team waits for `task`, or OTTER_NONE.
static uint32_t barrier_of(const struct fold *fold, uint32_t task, const uint32_t *barriers)
{
    uint32_t parent = fold_parent(fold, task);
    for (uint32_t n = 0; parent != OTTER_NONE && fold->team_of[parent] == OTTER_NONE; n++) {
        if (n == fold->graph->n_tasks) { // tasks that created each other: not in a sound graph
            return OTTER_NONE;
        }
        task = parent;
        parent = fold_parent(fold, task);
    }
    uint32_t node = fold->anchors[task];
    if (parent == OTTER_NONE || node == OTTER_NONE || !(fold->marks[node] & FOLD_BARRIER)) {
        return node == OTTER_NONE ? OTTER_NONE : barriers[node];
    }
    node = fold_after(fold, parent, node);
    bool is_barrier = node == OTTER_NONE || (fold->marks[node] & FOLD_BARRIER);
    return is_barrier ? node : barriers[node];
}

static bool join_returned(struct fold *fold, uint32_t task, const uint32_t *barriers)
{
    const struct otter_graph *graph = fold->graph;
    uint32_t last = graph->tasks[task].last_node;
    bool is_returned = graph->tasks[task].kind >= OTTER_TASK_KIND_EXPLICIT && last != OTTER_NONE &&
                       has_only_returns(graph, last);
    if (!is_returned) {
        return true;
    }
    uint32_t scope = graph->nodes[graph->tasks[task].first_node].scope;
    bool is_in_group =
        scope != OTTER_NONE && otter_node_construct(graph, scope) == OTTER_CONSTRUCT_TASKGROUP;
    uint32_t join = is_in_group ? fold->ends[scope] : barrier_of(fold, task, barriers);
    return join == OTTER_NONE || otter_edges_add(&fold->edges, last, join, OTTER_EDGE_JOIN);
}

bool fold_join_returned(struct fold *fold)
{
    const struct otter_graph *graph = fold->graph;
    uint32_t *barriers = malloc((graph->n_nodes + (size_t)1) * sizeof *barriers);
    if (!barriers) {
        return false;
    }
    memset(barriers, 0xff, (graph->n_nodes + (size_t)1) * sizeof *barriers);
    for (uint32_t i = 0; i < graph->n_members; i++) {
        find_barriers(fold, graph->members[i], barriers);
    }
    bool is_good = true;
    for (uint32_t i = 0; is_good && i < graph->n_tasks; i++) {
        is_good = join_returned(fold, i, barriers);
    }
    free(barriers);
    return is_good;
}
