// Builds the naming tree of a graph: the parent of each node, and the numbers of tasks.
#include <stdlib.h>
#include <string.h>

#include "graph/hash/naming.h"
#include "graph/node.h"
#include "graph/numbers.h"

// ---- the number of a task at the node that created it

static bool is_divided(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_LOOP || construct == OTTER_CONSTRUCT_SECTIONS ||
           construct == OTTER_CONSTRUCT_WORKSHARE || construct == OTTER_CONSTRUCT_DISTRIBUTE ||
           construct == OTTER_CONSTRUCT_TASKLOOP;
}

// Returns whether folding moved the tasks of several creators to this node.
static bool is_gathering(const struct otter_graph *graph, uint32_t i)
{
    const struct otter_node *node = &graph->nodes[i];
    if (!graph->is_folded) {
        return false;
    }
    return node->kind == OTTER_NODE_TASK || otter_node_is_barrier(graph, i) ||
           (node->kind == OTTER_NODE_BEGIN && is_divided(otter_node_construct(graph, i)));
}

// An untied task may create tasks on several threads, so task numbers do not order them.
static bool is_untied(const struct otter_graph *graph, uint32_t task)
{
    uint32_t first = task < graph->n_tasks ? graph->tasks[task].first_node : OTTER_NONE;
    uint32_t region = first == OTTER_NONE ? OTTER_NONE : graph->nodes[first].region;
    return region < graph->definitions->n_regions &&
           strstr(graph->definitions->regions[region].description, "untied") != NULL;
}

static bool is_numbered(const struct otter_naming *naming, uint32_t from, uint32_t e)
{
    const struct otter_graph *graph = naming->graph;
    uint32_t to = graph->edge_to[e];
    uint32_t task = graph->nodes[to].task;
    return graph->edge_kind[e] == OTTER_EDGE_CREATION && otter_naming_is_inside(naming, from, to) &&
           naming->parents[to] == from && task != OTTER_NONE &&
           graph->tasks[task].first_node == to && graph->tasks[task].number > 0;
}

// Ranks the tasks that node `from` created by their task numbers, if these are comparable. `room`
// has room for all edges of a node.
static void number_tasks(struct otter_naming *naming, uint32_t from, uint64_t *room)
{
    const struct otter_graph *graph = naming->graph;
    uint32_t n = 0, location = 0;
    for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
        if (!is_numbered(naming, from, e)) {
            continue;
        }
        const struct otter_graph_task *task = &graph->tasks[graph->nodes[graph->edge_to[e]].task];
        if (n > 0 && task->location != location) {
            return;
        }
        location = task->location;
        room[n++] = (uint64_t)task->number << 32 | graph->edge_to[e];
    }
    if (n == 0 || is_gathering(graph, from) || is_untied(graph, graph->nodes[from].task)) {
        return;
    }
    otter_numbers_sort(room, n);
    for (uint32_t i = 0; i < n; i++) {
        naming->ranks[(uint32_t)room[i]] = i + 1;
    }
}

static bool number_all(struct otter_naming *naming)
{
    const struct otter_graph *graph = naming->graph;
    uint32_t most = 1;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        uint32_t n = graph->first_edge[i + 1] - graph->first_edge[i];
        most = n > most ? n : most;
    }
    uint64_t *room = malloc(most * sizeof *room);
    for (uint32_t i = 0; room && i < graph->n_nodes; i++) {
        number_tasks(naming, i, room);
    }
    free(room);
    return room != NULL;
}

// ---- parents

// Returns the root of a node's unit. Nodes without a unit have the last root.
static uint32_t root_of(const struct otter_naming *naming, uint32_t node)
{
    uint32_t unit = naming->units ? naming->units[node] : 0;
    return naming->graph->n_nodes + (unit < naming->n_units ? unit : naming->n_units);
}

// Returns the nearest node above both, or the root.
static uint32_t common_parent(const struct otter_naming *naming, const uint32_t *depths, uint32_t a,
                              uint32_t b)
{
    uint32_t n_nodes = naming->graph->n_nodes;
    while (a != b) {
        uint32_t *deeper = b >= n_nodes || (a < n_nodes && depths[a] >= depths[b]) ? &a : &b;
        *deeper = naming->parents[*deeper];
    }
    return a;
}

static void lead_to(struct otter_naming *naming, uint32_t from, const uint32_t *depths)
{
    const struct otter_graph *graph = naming->graph;
    for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
        uint32_t to = graph->edge_to[e];
        bool is_path =
            graph->edge_kind[e] == OTTER_EDGE_CREATION || graph->edge_kind[e] == OTTER_EDGE_ORDER;
        if (is_path && otter_naming_is_inside(naming, from, to)) {
            naming->parents[to] = naming->parents[to] == OTTER_NONE
                                      ? from
                                      : common_parent(naming, depths, naming->parents[to], from);
        }
    }
}

static bool find_parents(struct otter_naming *naming)
{
    uint32_t n_nodes = naming->graph->n_nodes;
    uint32_t *depths = calloc(n_nodes + (size_t)1, sizeof *depths);
    if (!depths) {
        return false;
    }
    for (uint32_t i = 0; i < naming->n_sound; i++) {
        uint32_t node = naming->order[i];
        if (naming->parents[node] == OTTER_NONE) {
            naming->parents[node] = root_of(naming, node);
        }
        uint32_t parent = naming->parents[node];
        depths[node] = parent < n_nodes ? depths[parent] + 1 : 0;
        lead_to(naming, node, depths);
    }
    free(depths);
    return true;
}

// Appends the nodes on cycles and after them to the order; their parents are roots.
static bool add_unsound(struct otter_naming *naming)
{
    uint32_t n_nodes = naming->graph->n_nodes;
    bool *is_sound = calloc(n_nodes + (size_t)1, sizeof *is_sound);
    for (uint32_t i = 0; is_sound && i < naming->n_sound; i++) {
        is_sound[naming->order[i]] = true;
    }
    uint32_t n = naming->n_sound;
    for (uint32_t i = 0; is_sound && i < n_nodes; i++) {
        if (!is_sound[i]) {
            naming->order[n++] = i;
            naming->parents[i] = root_of(naming, i);
        }
    }
    free(is_sound);
    return is_sound != NULL;
}

bool otter_naming_build_tree(struct otter_naming *naming)
{
    naming->order = otter_graph_sort(naming->graph, &naming->n_sound);
    return naming->order && find_parents(naming) &&
           (naming->n_sound == naming->graph->n_nodes || add_unsound(naming)) && number_all(naming);
}

// ---- siblings

bool otter_naming_list_siblings(struct otter_naming *naming)
{
    uint32_t n_nodes = naming->graph->n_nodes, n = 0;
    uint32_t *counts = calloc((size_t)n_nodes + naming->n_units + 1, sizeof *counts);
    for (uint32_t i = 0; counts && i < n_nodes; i++) {
        counts[naming->parents[i]] += naming->ranks[i] == 0;
    }
    for (uint32_t i = 0; counts && i < n_nodes; i++) {
        n += naming->ranks[i] == 0 && counts[naming->parents[i]] > 1;
    }
    naming->siblings = counts ? malloc((n + (size_t)1) * sizeof *naming->siblings) : NULL;
    for (uint32_t i = 0; naming->siblings && i < n_nodes; i++) {
        if (naming->ranks[i] == 0 && counts[naming->parents[i]] > 1) {
            naming->siblings[naming->n_siblings++] =
                (struct otter_sibling){.parent = naming->parents[i], .node = i};
        }
    }
    free(counts);
    return naming->siblings != NULL;
}
