// Selects a task and its descendants from a graph.
#include "graph/select.h"

#include <stdlib.h>

#include "graph/node.h"
#include "graph/numbers.h"

// Values instead of a task's distance from the root: not known yet; not a descendant of the root.
enum { DISTANCE_UNKNOWN = UINT32_MAX - 1, NOT_BELOW = UINT32_MAX };

// Walks up to the first task whose distance is known, and stores the distances on the way back.
// `path` has room for all tasks.
static void measure(const struct otter_graph *graph, uint32_t task, uint32_t *distances,
                    uint32_t *path)
{
    uint32_t n = 0;
    while (task != OTTER_NONE && distances[task] == DISTANCE_UNKNOWN && n < graph->n_tasks) {
        path[n++] = task;
        task = graph->tasks[task].creator;
    }
    bool is_known = task != OTTER_NONE && distances[task] != DISTANCE_UNKNOWN;
    uint32_t distance = is_known ? distances[task] : NOT_BELOW;
    while (n > 0) {
        distance = distance == NOT_BELOW ? NOT_BELOW : distance + 1;
        distances[path[--n]] = distance;
    }
}

static uint32_t *measure_all(const struct otter_graph *graph, uint32_t root)
{
    uint32_t *distances = otter_numbers_create(graph->n_tasks);
    uint32_t *path = otter_numbers_create(graph->n_tasks);
    if (!distances || !path) {
        free(distances);
        free(path);
        return NULL;
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        distances[i] = i == root ? 0 : DISTANCE_UNKNOWN;
    }
    for (uint32_t i = 0; i < graph->n_tasks; i++) {
        measure(graph, i, distances, path);
    }
    free(path);
    return distances;
}

static bool is_near(const uint32_t *distances, uint32_t task, uint32_t depth)
{
    return task != OTTER_NONE && distances[task] != NOT_BELOW && distances[task] <= depth;
}

// Adds the barriers in the chains of selected tasks. A barrier has the task of one member (struct
// otter_node), but `order` leads to it from each member. Returns false if out of memory.
static bool keep_barriers(const struct otter_graph *graph, bool *keep)
{
    uint32_t n;
    uint32_t *order = otter_graph_sort(graph, &n);
    for (uint32_t i = 0; order && i < n; i++) {
        uint32_t from = order[i];
        for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (keep[from] && graph->edge_kind[e] == OTTER_EDGE_ORDER &&
                otter_node_is_barrier(graph, to)) {
                keep[to] = true;
            }
        }
    }
    free(order);
    return order != NULL;
}

struct otter_graph *otter_graph_select(const struct otter_graph *graph, uint32_t task,
                                       uint32_t depth)
{
    uint32_t *distances = measure_all(graph, task);
    bool *keep = calloc(graph->n_nodes + (size_t)1, sizeof *keep);
    struct otter_graph *part = NULL;
    if (distances && keep) {
        for (uint32_t i = 0; i < graph->n_nodes; i++) {
            keep[i] = is_near(distances, graph->nodes[i].task, depth);
        }
        part = keep_barriers(graph, keep) ? otter_graph_filter(graph, keep) : NULL;
    }
    free(distances);
    free(keep);
    return part;
}

uint32_t otter_graph_find_location(const struct otter_graph *graph, uint32_t rank,
                                   uint32_t location)
{
    for (uint32_t i = 0; graph->places && i < graph->definitions->n_locations; i++) {
        if (graph->places[i].rank == rank && graph->places[i].location == location) {
            return i;
        }
    }
    return OTTER_NONE;
}

uint32_t otter_graph_find_task(const struct otter_graph *graph, uint32_t location, uint32_t number)
{
    for (uint32_t i = 0; number != 0 && i < graph->n_tasks; i++) {
        if (graph->tasks[i].location == location && graph->tasks[i].number == number) {
            return i;
        }
    }
    return OTTER_NONE;
}

uint32_t otter_graph_task_of(const struct otter_graph *graph, uint32_t node)
{
    return node < graph->n_nodes ? graph->nodes[node].task : OTTER_NONE;
}
