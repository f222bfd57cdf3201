// Findings on the size of explicit tasks: small tasks, and tasks that their creators execute.
#include "analysis/find.h"
#include "analysis/scaled.h"

#include <stdlib.h>

#include "graph/numbers.h"

enum { MOST_LEVELS = 256 }; // between two tasks of one construct, one around the other

static const double MOST_EFFICIENCY = 0.9; // that of a task of 9 times its cost

// Sums of the tasks of a construct. Times are ticks.
struct grain {
    uint64_t work;       // of deferred tasks, with the undeferred tasks that they execute
    uint64_t n_lone;     // undeferred tasks, but those of a recursion inside a deferred task
    uint64_t lone, sole; // work of these, and of all tasks of this construct alone
};

struct sums {
    const struct otter_search *search;
    const struct otter_graph *graph;
    struct grain *grains; // of each region
    uint64_t *work;       // of each task
    uint32_t *carriers;   // of each task: itself or the task around it that is deferred, or NONE
    unsigned char *is_recursive; // of each task: a construct occurs twice around it
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

static bool is_undeferred(const struct otter_graph *graph, uint32_t task)
{
    return (graph->tasks[task].flags & OTTER_NODE_UNDEFERRED) != 0;
}

// Whether a construct occurs twice among the task and the tasks around it.
static bool is_in_recursion(const struct sums *sums, uint32_t task)
{
    const struct otter_graph *graph = sums->graph;
    uint32_t around = graph->tasks[task].creator;
    for (unsigned i = 0; i < MOST_LEVELS && is_explicit(graph, around); i++) {
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
    struct grain *grain = &sums->grains[region_of(graph, task)];
    bool has_creator = creator < graph->n_tasks;
    grain->sole += sums->work[task];
    sums->carriers[task] = !is_undeferred(graph, task) ? task
                           : has_creator               ? sums->carriers[creator]
                                                       : OTTER_NONE;
    if (sums->carriers[task] != OTTER_NONE) {
        sums->grains[region_of(graph, sums->carriers[task])].work += sums->work[task];
    }
    sums->is_recursive[task] = is_in_recursion(sums, task);
    bool is_cut_off = sums->carriers[task] != OTTER_NONE && sums->is_recursive[task];
    if (is_undeferred(graph, task) && !is_cut_off) {
        grain->n_lone++;
        grain->lone += sums->work[task];
    }
}

// A task begins behind its creator.
static void add_tasks(struct sums *sums)
{
    const struct otter_analysis *analysis = sums->search->analysis;
    const struct otter_graph *graph = sums->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_node_is_piece(&graph->nodes[i])) {
            sums->work[graph->nodes[i].task] +=
                otter_node_work(graph, &analysis->pieces, &analysis->costs, i);
        }
    }
    for (uint32_t i = 0; i < analysis->ready.n_order; i++) {
        uint32_t node = analysis->ready.order[i], task = graph->nodes[node].task;
        if (is_explicit(graph, task) && graph->tasks[task].first_node == node &&
            graph->nodes[node].region < graph->definitions->n_regions) {
            add_task(sums, task);
        }
    }
}

static uint64_t n_deferred(const struct otter_task_uses *uses)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < uses->n; i++) {
        n += uses->items[i].n - uses->items[i].n_undeferred;
    }
    return n;
}

// Threads that look for small tasks are delayed most of the time: each task has a share of it.
static void find_small_tasks(struct otter_search *search, const struct grain *grains)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_task_uses *uses = &analysis->tasks;
    uint64_t cost = analysis->costs.creation + analysis->costs.scheduling;
    double delay = (double)analysis->account.delay / (double)(n_deferred(uses) + 1);
    for (uint32_t i = 0; i < uses->n && cost > 0; i++) {
        const struct otter_task_use *use = &uses->items[i];
        uint64_t n = use->n - use->n_undeferred, work = grains[use->region].work;
        if (n >= 100 && work < OTTER_EVEN_COST * cost * n) {
            uint64_t share = otter_scaled(n, delay);
            search->explained_delay += share;
            otter_search_add(
                search, (struct otter_finding){OTTER_FINDING_SMALL_TASKS,
                                               n * analysis->costs.creation + share, use->region, n,
                                               (double)work / (double)n / (double)cost});
        }
    }
}

// Threads wait without work while the creator executes. A recursion that stops to create tasks, and
// a run that is efficient, are as they should be.
static void find_undeferred(struct otter_search *search, const struct grain *grains)
{
    const struct otter_analysis *analysis = search->analysis;
    const struct otter_account *account = &analysis->account;
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        const struct otter_task_use *use = &analysis->tasks.items[i];
        const struct grain *grain = &grains[use->region];
        if (grain->n_lone * 2 <= use->n || analysis->efficiency.total >= MOST_EFFICIENCY) {
            continue;
        }
        double share = grain->sole ? (double)grain->lone / (double)grain->sole : 0;
        double blame = account->blame[use->region] - account->alone[use->region];
        uint64_t cost = blame > 0 ? (uint64_t)(blame * share + 0.5) : 0;
        uint64_t most = otter_search_unexplained(search);
        cost = cost < most ? cost : most;
        if (otter_search_is_worth(search, cost)) {
            otter_search_add(search, (struct otter_finding){OTTER_FINDING_UNDEFERRED, cost,
                                                            use->region, grain->n_lone, 0});
            search->explained += cost;
        }
    }
}

void otter_find_grain(struct otter_search *search)
{
    const struct otter_graph *graph = search->analysis->graph;
    if (search->analysis->tasks.n == 0) {
        return;
    }
    struct sums sums = {.search = search,
                        .graph = graph,
                        .grains = calloc(graph->definitions->n_regions + 1, sizeof *sums.grains),
                        .work = calloc(graph->n_tasks + (size_t)1, sizeof *sums.work),
                        .carriers = otter_numbers_create(graph->n_tasks),
                        .is_recursive = calloc(graph->n_tasks + (size_t)1, 1)};
    if (sums.grains && sums.work && sums.carriers && sums.is_recursive) {
        add_tasks(&sums);
        find_small_tasks(search, sums.grains);
        find_undeferred(search, sums.grains);
    } else {
        search->is_short_of_memory = true;
    }
    free(sums.grains);
    free(sums.work);
    free(sums.carriers);
    free(sums.is_recursive);
}
