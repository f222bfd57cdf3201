// Sums up the work of explicit tasks by the deferred task that executes it.
#include "analysis/task/task_grains.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/numbers.h"

enum { MAX_LEVELS = 256 }; // the most levels between two nested tasks of one construct

struct sums {
    const struct otter_graph *graph;
    const struct otter_pieces *pieces;
    const struct otter_ready *ready;
    const struct otter_costs *costs;
    struct otter_task_grains *grains;
    uint64_t *work;              // of each task
    uint32_t *carriers;          // of each task: the deferred task that executes it, perhaps itself
    unsigned char *is_recursive; // of each task: whether a construct occurs twice around it
};

static uint32_t region_of(const struct otter_graph *graph, uint32_t task)
{
    return graph->nodes[graph->tasks[task].first_node].region;
}

static bool is_explicit(const struct otter_graph *graph, uint32_t task)
{
    return task < graph->n_tasks && graph->tasks[task].kind == OTTER_TASK_KIND_EXPLICIT &&
           graph->tasks[task].first_node != OTTER_NONE;
}

// Returns whether a construct occurs twice among the task and the tasks around it.
static bool is_in_recursion(const struct sums *sums, uint32_t task)
{
    const struct otter_graph *graph = sums->graph;
    uint32_t around = graph->tasks[task].creator;
    for (unsigned i = 0; i < MAX_LEVELS && is_explicit(graph, around); i++) {
        if (sums->is_recursive[around] || region_of(graph, around) == region_of(graph, task)) {
            return true;
        }
        around = graph->tasks[around].creator;
    }
    return false;
}

static void add_task(struct sums *sums, uint32_t task)
{
    const struct otter_graph *graph = sums->graph;
    uint32_t creator = graph->tasks[task].creator;
    bool is_undeferred = !sums->costs->is_alone && graph->tasks[task].flags & OTTER_NODE_UNDEFERRED;
    bool has_creator = creator < graph->n_tasks;
    sums->carriers[task] = has_creator ? sums->carriers[creator] : OTTER_NONE;
    if (!is_undeferred) {
        sums->carriers[task] = task;
    }
    uint32_t carrier = sums->carriers[task];
    if (carrier != OTTER_NONE) {
        sums->grains->items[region_of(graph, carrier)].work += sums->work[task];
    }
    sums->is_recursive[task] = is_in_recursion(sums, task);
    bool is_cut_off = carrier != OTTER_NONE && sums->is_recursive[task];
    sums->grains->is_lone[task] = is_undeferred && !is_cut_off;
    sums->grains->items[region_of(graph, task)].n_lone += sums->grains->is_lone[task];
}

// A task begins after its creator.
static void add_tasks(struct sums *sums)
{
    const struct otter_graph *graph = sums->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_node_is_piece(&graph->nodes[i])) {
            sums->work[graph->nodes[i].task] +=
                otter_node_work(graph, sums->pieces, sums->costs, i);
        }
    }
    for (uint32_t i = 0; i < sums->ready->n_order; i++) {
        uint32_t node = sums->ready->order[i], task = graph->nodes[node].task;
        if (is_explicit(graph, task) && graph->tasks[task].first_node == node &&
            graph->nodes[node].region < graph->definitions->n_regions) {
            add_task(sums, task);
        }
    }
}

enum otter_status otter_task_grains_init(struct otter_task_grains *grains,
                                         const struct otter_graph *graph,
                                         const struct otter_pieces *pieces,
                                         const struct otter_ready *ready,
                                         const struct otter_costs *costs)
{
    size_t n_tasks = graph->n_tasks + (size_t)1;
    *grains = (struct otter_task_grains){
        .items = calloc(graph->definitions->n_regions + 1, sizeof *grains->items),
        .is_lone = calloc(n_tasks, sizeof *grains->is_lone)};
    struct sums sums = {.graph = graph,
                        .pieces = pieces,
                        .ready = ready,
                        .costs = costs,
                        .grains = grains,
                        .work = calloc(n_tasks, sizeof *sums.work),
                        .carriers = otter_numbers_create(graph->n_tasks),
                        .is_recursive = calloc(n_tasks, 1)};
    bool is_good =
        grains->items && grains->is_lone && sums.work && sums.carriers && sums.is_recursive;
    if (is_good) {
        add_tasks(&sums);
    }
    OTTER_FREE(sums.work, sums.carriers, sums.is_recursive);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_task_grains_finish(struct otter_task_grains *grains)
{
    free(grains->items);
    free(grains->is_lone);
    *grains = (struct otter_task_grains){0};
}
