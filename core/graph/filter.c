// Copies a part of a graph, renumbering its nodes.
#include "graph/graph.h"

#include <stdlib.h>

#include "graph/numbers.h"

// Returns the new number of each node of the part, OTTER_NONE for other nodes. Sets *n to the size
// of the part.
static uint32_t *number_nodes(const struct otter_graph *graph, const bool *keep, uint32_t *n)
{
    uint32_t *numbers = otter_numbers_create(graph->n_nodes);
    *n = 0;
    for (uint32_t i = 0; numbers && i < graph->n_nodes; i++) {
        if (keep[i]) {
            numbers[i] = (*n)++;
        }
    }
    return numbers;
}

static uint32_t number_of(const uint32_t *numbers, uint32_t node)
{
    return node == OTTER_NONE ? OTTER_NONE : numbers[node];
}

// Returns the innermost scope around a node that is also in the part. For an END, this is its BEGIN
// or OTTER_NONE.
static uint32_t scope_in_part(const struct otter_graph *graph, const uint32_t *numbers,
                              const struct otter_node *node)
{
    uint32_t scope = node->scope;
    if (node->kind == OTTER_NODE_END) {
        return number_of(numbers, scope);
    }
    while (scope != OTTER_NONE && numbers[scope] == OTTER_NONE) {
        scope = graph->nodes[scope].scope;
    }
    return number_of(numbers, scope);
}

// Allocates one entry more than `n`, because calloc(0) may return NULL.
static void *allocate(size_t n, size_t size)
{
    return calloc(n + 1, size);
}

static void copy_nodes(const struct otter_graph *graph, const uint32_t *numbers,
                       struct otter_graph *part)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (numbers[i] != OTTER_NONE) {
            struct otter_node *node = &part->nodes[numbers[i]];
            *node = graph->nodes[i];
            node->scope = scope_in_part(graph, numbers, &graph->nodes[i]);
        }
    }
}

static uint32_t count_edges(const struct otter_graph *graph, const uint32_t *numbers)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            n += numbers[i] != OTTER_NONE && numbers[graph->edge_to[e]] != OTTER_NONE;
        }
    }
    return n;
}

static void copy_edges(const struct otter_graph *graph, const uint32_t *numbers,
                       struct otter_graph *part)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (numbers[i] == OTTER_NONE) {
            continue;
        }
        part->first_edge[numbers[i]] = n;
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (numbers[graph->edge_to[e]] != OTTER_NONE) {
                part->edge_to[n] = numbers[graph->edge_to[e]];
                part->edge_kind[n++] = graph->edge_kind[e];
            }
        }
    }
    part->first_edge[part->n_nodes] = n;
}

static void copy_tasks(const struct otter_graph *graph, const uint32_t *numbers,
                       struct otter_graph *part)
{
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        part->tasks[i] = graph->tasks[i];
        part->tasks[i].first_node = number_of(numbers, graph->tasks[i].first_node);
        part->tasks[i].last_node = number_of(numbers, graph->tasks[i].last_node);
    }
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        part->teams[i] = graph->teams[i];
        part->teams[i].begin_node = number_of(numbers, graph->teams[i].begin_node);
        part->teams[i].end_node = number_of(numbers, graph->teams[i].end_node);
    }
    for (uint32_t i = 0; i < graph->n_members; i++) {
        part->members[i] = graph->members[i];
    }
}

static bool allocate_part(struct otter_graph *part)
{
    part->nodes = allocate(part->n_nodes, sizeof *part->nodes);
    part->first_edge = allocate(part->n_nodes, sizeof *part->first_edge);
    part->edge_to = allocate(part->n_edges, sizeof *part->edge_to);
    part->edge_kind = allocate(part->n_edges, sizeof *part->edge_kind);
    part->tasks = allocate(part->n_tasks, sizeof *part->tasks);
    part->teams = allocate(part->n_teams, sizeof *part->teams);
    part->members = allocate(part->n_members, sizeof *part->members);
    return part->nodes && part->first_edge && part->edge_to && part->edge_kind && part->tasks &&
           part->teams && part->members;
}

struct otter_graph *otter_graph_filter(const struct otter_graph *graph, const bool *keep)
{
    uint32_t n_nodes;
    uint32_t *numbers = number_nodes(graph, keep, &n_nodes);
    struct otter_graph *part = calloc(1, sizeof *part);
    if (!numbers || !part) {
        free(numbers);
        free(part);
        return NULL;
    }
    part->view = graph->view;
    part->is_folded = graph->is_folded;
    part->definitions = graph->definitions;
    part->places = graph->places;
    part->n_events = graph->n_events;
    part->n_nodes = n_nodes;
    part->n_edges = count_edges(graph, numbers);
    part->n_tasks = graph->n_tasks;
    part->n_teams = graph->n_teams;
    part->n_members = graph->n_members;
    if (!allocate_part(part)) {
        otter_graph_destroy(part);
        part = NULL;
    } else {
        copy_nodes(graph, numbers, part);
        copy_edges(graph, numbers, part);
        copy_tasks(graph, numbers, part);
    }
    free(numbers);
    return part;
}
