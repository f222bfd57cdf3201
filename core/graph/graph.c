// Names of kinds, times of edges, ends of scopes, and the topological order of a graph.
#include "graph/graph.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/numbers.h"

void otter_graph_destroy(struct otter_graph *graph)
{
    if (!graph) {
        return;
    }
    OTTER_FREE(graph->nodes, graph->first_edge, graph->edge_to, graph->edge_kind, graph->tasks,
               graph->teams, graph->members, graph);
}

const char *otter_node_kind_name(enum otter_node_kind kind)
{
    switch (kind) {
    case OTTER_NODE_UNKNOWN:
    case OTTER_N_NODE_KINDS: break;
    case OTTER_NODE_TASK: return "task";
    case OTTER_NODE_BEGIN: return "begin";
    case OTTER_NODE_END: return "end";
    case OTTER_NODE_SYNC:
    case OTTER_NODE_SOURCE:
    case OTTER_NODE_SINK:
    case OTTER_NODE_FULFIL: return "sync";
    case OTTER_NODE_FRAGMENT: return "fragment";
    case OTTER_NODE_OPERATION: return "operation";
    case OTTER_NODE_DEVICE: return "device";
    }
    return "unknown";
}

const char *otter_edge_kind_name(enum otter_edge_kind kind)
{
    switch (kind) {
    case OTTER_EDGE_UNKNOWN:
    case OTTER_N_EDGE_KINDS: break;
    case OTTER_EDGE_CREATION: return "creation";
    case OTTER_EDGE_ORDER: return "order";
    case OTTER_EDGE_NESTING: return "nesting";
    case OTTER_EDGE_JOIN: return "join";
    case OTTER_EDGE_DEPENDENCE: return "dependence";
    case OTTER_EDGE_UNDEFERRED: return "undeferred";
    case OTTER_EDGE_DOACROSS: return "doacross";
    case OTTER_EDGE_FULFIL: return "fulfil";
    case OTTER_EDGE_MESSAGE: return "message";
    case OTTER_EDGE_COLLECTIVE: return "collective";
    }
    return "unknown";
}

const char *otter_task_kind_name(enum otter_task_kind kind)
{
    switch (kind) {
    case OTTER_TASK_KIND_UNKNOWN:
    case OTTER_N_TASK_KINDS: break;
    case OTTER_TASK_KIND_INITIAL: return "initial";
    case OTTER_TASK_KIND_IMPLICIT: return "implicit";
    case OTTER_TASK_KIND_EXPLICIT: return "explicit";
    case OTTER_TASK_KIND_TARGET: return "target";
    }
    return "unknown";
}

bool otter_edge_leaves_at_end(const struct otter_node *from, enum otter_edge_kind kind)
{
    bool is_of_body = kind == OTTER_EDGE_CREATION || kind == OTTER_EDGE_ORDER ||
                      kind == OTTER_EDGE_NESTING || kind == OTTER_EDGE_FULFIL;
    return from->kind != OTTER_NODE_TASK || !is_of_body;
}

uint64_t otter_edge_leaves(const struct otter_node *from, enum otter_edge_kind kind)
{
    return otter_edge_leaves_at_end(from, kind) ? from->end : from->start;
}

uint64_t otter_edge_arrives(const struct otter_node *to)
{
    bool is_reached_at_start = to->kind == OTTER_NODE_TASK || to->kind == OTTER_NODE_BEGIN ||
                               to->kind == OTTER_NODE_FRAGMENT || to->kind == OTTER_NODE_DEVICE;
    return is_reached_at_start ? to->start : to->end;
}

uint32_t *otter_graph_scope_ends(const struct otter_graph *graph)
{
    uint32_t *ends = otter_numbers_create(graph->n_nodes);
    for (uint32_t i = 0; ends && i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (node->kind == OTTER_NODE_END && node->scope != OTTER_NONE) {
            ends[node->scope] = i;
        }
    }
    return ends;
}

// The order follows the indexes as far as edges permit, so that arrays in files are read in
// sequence. Nodes before `i` that become ready are linked in a stack, through their entries of
// n_predecessors.
uint32_t *otter_graph_sort(const struct otter_graph *graph, uint32_t *n)
{
    uint32_t *n_predecessors = calloc(graph->n_nodes + 1, sizeof *n_predecessors);
    uint32_t *order = malloc((graph->n_nodes + 1) * sizeof *order);
    if (!n_predecessors || !order) {
        free(n_predecessors);
        free(order);
        return NULL;
    }
    for (uint32_t e = 0; e < graph->n_edges; e++) {
        n_predecessors[graph->edge_to[e]]++;
    }
    *n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t next = n_predecessors[i] == 0 ? i : OTTER_NONE;
        if (next == i) {
            n_predecessors[i] = OTTER_NONE;
        }
        while (next != OTTER_NONE) {
            uint32_t node = order[(*n)++] = next;
            next = n_predecessors[node];
            for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
                uint32_t to = graph->edge_to[e];
                if (--n_predecessors[to] == 0 && to < i) {
                    n_predecessors[to] = next;
                    next = to;
                }
            }
        }
    }
    free(n_predecessors);
    return order;
}
