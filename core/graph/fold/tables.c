// Fills the tables of tasks and nodes from which a level is folded.
#include "graph/fold/internal.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/node.h"
#include "graph/numbers.h"

uint32_t otter_fold_parent(const struct otter_fold *fold, uint32_t task)
{
    uint32_t creator = fold->graph->tasks[task].creator;
    uint32_t team = fold->team_of[task];
    if (creator != OTTER_NONE || team == OTTER_NONE) {
        return creator;
    }
    uint32_t begin = fold->graph->teams[team].begin_node; // start of a teams construct
    return begin == OTTER_NONE ? OTTER_NONE : fold->graph->nodes[begin].task;
}

static void find_teams(struct otter_fold *fold)
{
    for (uint32_t i = 0; i < fold->graph->n_teams; i++) {
        const struct otter_graph_team *team = &fold->graph->teams[i];
        for (uint32_t k = 0; k < team->n_members; k++) {
            fold->team_of[fold->graph->members[team->first_member + k]] = i;
        }
    }
}

// Walks up to a task whose depth is known, and stores depths on the way back. `path` has room for
// all tasks.
static void measure(struct otter_fold *fold, uint32_t task, uint32_t *path)
{
    uint32_t n = 0;
    while (task != OTTER_NONE && fold->depths[task] == OTTER_NONE && n < fold->graph->n_tasks) {
        path[n++] = task;
        task = otter_fold_parent(fold, task);
    }
    uint32_t depth = task == OTTER_NONE ? 0 : fold->depths[task];
    depth = depth == OTTER_NONE ? 0 : depth; // a damaged archive: tasks created each other
    while (n > 0) {
        task = path[--n];
        depth += fold->team_of[task] != OTTER_NONE;
        fold->depths[task] = depth;
    }
}

static bool measure_all(struct otter_fold *fold)
{
    uint32_t *path = otter_numbers_create(fold->graph->n_tasks);
    for (uint32_t i = 0; path && i < fold->graph->n_tasks; i++) {
        measure(fold, i, path);
    }
    free(path);
    return path != NULL;
}

// Sorts tasks by creator. Each count is stored two entries further, so that filling the lists moves
// each first index to its place.
static void list_children(struct otter_fold *fold)
{
    uint32_t n_tasks = fold->graph->n_tasks;
    uint32_t *first = fold->first_child;
    for (uint32_t i = 0; i < n_tasks; i++) {
        uint32_t parent = otter_fold_parent(fold, i);
        if (parent != OTTER_NONE) {
            first[parent + 2]++;
        }
    }
    for (uint32_t i = 0; i < n_tasks; i++) {
        first[i + 2] += first[i + 1];
    }
    for (uint32_t i = 0; i < n_tasks; i++) {
        uint32_t parent = otter_fold_parent(fold, i);
        if (parent != OTTER_NONE) {
            fold->children[first[parent + 1]++] = i;
        }
    }
}

static void read_creation(struct otter_fold *fold, uint32_t from, uint32_t to)
{
    uint32_t task = fold->graph->nodes[to].task;
    if (task != OTTER_NONE && fold->graph->tasks[task].first_node == to) {
        fold->anchors[task] = from;
        fold->marks[from] |= OTTER_FOLD_HAS_CHILDREN;
    }
}

static bool is_head(const struct otter_fold *fold, uint32_t from, uint32_t to)
{
    return (fold->marks[from] & OTTER_FOLD_BARRIER) && !(fold->marks[to] & OTTER_FOLD_BARRIER) &&
           fold->graph->nodes[to].task != OTTER_NONE;
}

static void read_order(struct otter_fold *fold, uint32_t from, uint32_t to)
{
    if (is_head(fold, from, to)) {
        fold->first_head[fold->graph->nodes[to].task + 2]++;
    } else if ((fold->marks[to] & OTTER_FOLD_BARRIER) ||
               fold->graph->nodes[to].task == fold->graph->nodes[from].task) {
        fold->next[from] = to;
    }
}

static void read_edges(struct otter_fold *fold)
{
    const struct otter_graph *graph = fold->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            if (graph->edge_kind[e] == OTTER_EDGE_CREATION) {
                read_creation(fold, i, graph->edge_to[e]);
            } else if (graph->edge_kind[e] == OTTER_EDGE_ORDER) {
                read_order(fold, i, graph->edge_to[e]);
            }
        }
    }
}

static bool list_heads(struct otter_fold *fold)
{
    const struct otter_graph *graph = fold->graph;
    size_t *first = fold->first_head;
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        first[i + 2] += first[i + 1];
    }
    fold->heads = malloc((first[graph->n_tasks + 1] + 1) * sizeof *fold->heads);
    if (!fold->heads) {
        return false;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (graph->edge_kind[e] == OTTER_EDGE_ORDER && is_head(fold, i, to)) {
                fold->heads[first[graph->nodes[to].task + 1]++] = (uint64_t)i << 32 | to;
            }
        }
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        otter_numbers_sort(fold->heads + first[i], first[i + 1] - first[i]);
    }
    return true;
}

uint32_t otter_fold_team_level(const struct otter_fold *fold, const struct otter_graph_team *team)
{
    return team->n_members > 0 ? fold->depths[fold->graph->members[team->first_member]] : 0;
}

static bool allocate(struct otter_fold *fold, const struct otter_graph *graph)
{
    fold->team_of = otter_numbers_create(graph->n_tasks);
    fold->depths = otter_numbers_create(graph->n_tasks);
    fold->anchors = otter_numbers_create(graph->n_tasks);
    fold->children = otter_numbers_create(graph->n_tasks);
    fold->task_units = otter_numbers_create(graph->n_tasks);
    fold->task_representatives = otter_numbers_create(graph->n_tasks);
    fold->first_child = calloc(graph->n_tasks + (size_t)2, sizeof *fold->first_child);
    fold->first_head = calloc(graph->n_tasks + (size_t)2, sizeof *fold->first_head);
    fold->next = otter_numbers_create(graph->n_nodes);
    fold->position = otter_numbers_create(graph->n_nodes);
    fold->units = otter_numbers_create(graph->n_nodes);
    fold->representatives = otter_numbers_create(graph->n_nodes);
    fold->marks = calloc(graph->n_nodes + (size_t)1, sizeof *fold->marks);
    fold->ends = otter_graph_scope_ends(graph);
    return fold->team_of && fold->depths && fold->anchors && fold->children && fold->task_units &&
           fold->task_representatives && fold->first_child && fold->first_head && fold->next &&
           fold->position && fold->units && fold->representatives && fold->marks && fold->ends;
}

bool otter_fold_init(struct otter_fold *fold)
{
    if (!allocate(fold, fold->graph)) {
        return false;
    }
    for (uint32_t i = 0; i < fold->graph->n_nodes; i++) {
        fold->representatives[i] = i;
        if (otter_node_is_barrier(fold->graph, i)) {
            fold->marks[i] = OTTER_FOLD_BARRIER;
        }
    }
    for (uint32_t i = 0; i < fold->graph->n_tasks; i++) {
        fold->task_representatives[i] = i;
    }
    find_teams(fold);
    list_children(fold);
    read_edges(fold);
    return measure_all(fold) && list_heads(fold);
}

void otter_fold_finish(struct otter_fold *fold)
{
    OTTER_FREE(fold->team_of, fold->depths, fold->anchors, fold->children, fold->task_units,
               fold->task_representatives, fold->first_child, fold->first_head, fold->heads,
               fold->next, fold->position, fold->units, fold->representatives, fold->marks,
               fold->ends, fold->items.items, fold->segments.items, fold->pieces.items,
               fold->is_unit_dropped, fold->unit_kinds, fold->unit_barriers);
    otter_edges_finish(&fold->edges);
}
