// Attributes lost time to causes that only all tasks of a construct together reveal.
#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"

enum { LEAST_TASKS = 100 };                // of a construct whose tasks may be small
static const double MOST_EFFICIENCY = 0.9; // of runs with undeferred tasks

struct context {
    const struct otter_analysis *analysis;
    struct otter_losses *losses;
    uint64_t *avoidable; // ticks of execution
};

uint64_t otter_task_cost(const struct otter_analysis *analysis, const struct otter_task_use *use)
{
    const struct otter_quantiles *delays = &analysis->account.delays[use->region];
    double median = (double)otter_quantiles_at(delays, 50);
    double share = use->n_deferred ? (double)delays->n / (double)use->n_deferred : 0;
    double waited = median * (share < 1 ? share : 1);
    double most = (double)analysis->definitions->clock.resolution / OTTER_MOST_COST;
    double scheduling = (double)analysis->costs.scheduling;
    waited = waited < most ? waited : most;
    return analysis->costs.creation + (uint64_t)(waited > scheduling ? waited : scheduling);
}

uint64_t otter_task_cost_of(const struct otter_analysis *analysis, uint32_t region)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, region);
    return use ? otter_task_cost(analysis, use) : 0;
}

// A creator that others wait for is also slowed down by its creations.
static void find_creation(const struct otter_analysis *analysis, struct otter_losses *losses,
                          const struct otter_task_use *use)
{
    if (otter_losses_at(losses, OTTER_FINDING_CREATOR, use->region) > 0) {
        otter_losses_move(losses, OTTER_FINDING_DELAY, use->region, OTTER_FINDING_CREATOR,
                          use->region, (double)(use->n_deferred * analysis->costs.creation));
    }
}

// ---- small tasks

// Adds the execution that vanishes with the tasks: the recorder's event in the piece that ends each
// of them.
static void add_events(const struct context *context, uint32_t region)
{
    const struct otter_analysis *analysis = context->analysis;
    const struct otter_graph *graph = analysis->graph;
    uint64_t event = (uint64_t)analysis->recording.event, executed = 0;
    uint64_t most = analysis->account.executing - *context->avoidable;
    for (uint32_t i = 0; i < graph->n_tasks && event > 0; i++) {
        uint32_t last = graph->tasks[i].last_node;
        if (last != OTTER_NONE && graph->nodes[last].kind == OTTER_NODE_FRAGMENT &&
            graph->nodes[last].region == region) {
            uint64_t work = otter_node_work(graph, &analysis->pieces, &analysis->costs, last);
            executed += work < event ? work : event;
        }
    }
    executed = executed < most ? executed : most;
    otter_losses_add(context->losses, OTTER_FINDING_SMALL_TASKS, region, (double)executed);
    *context->avoidable += executed;
}

// A delay far longer than the delays of other tasks with this label has another cause.
static void find_small(const struct context *context, const struct otter_task_use *use)
{
    const struct otter_analysis *analysis = context->analysis;
    struct otter_losses *losses = context->losses;
    uint64_t n = use->n_deferred, cost = otter_task_cost(analysis, use);
    if (n < LEAST_TASKS || cost == 0 ||
        analysis->grains.items[use->region].work >= OTTER_EVEN_COST * cost * n) {
        find_creation(analysis, losses, use);
        return;
    }
    const struct otter_quantiles *delays = &analysis->account.delays[use->region];
    double most = (double)delays->n * (double)otter_quantiles_at(delays, 90);
    double queued = (double)use->queued;
    most = (most < queued ? most : queued) + (double)(n * analysis->costs.creation);
    otter_losses_move(losses, OTTER_FINDING_DELAY, use->region, OTTER_FINDING_SMALL_TASKS,
                      use->region, most);
    if (otter_losses_at(losses, OTTER_FINDING_MIGRATION, use->region) > 0) {
        otter_losses_move(losses, OTTER_FINDING_MIGRATION, use->region, OTTER_FINDING_SMALL_TASKS,
                          use->region,
                          otter_bounds_late_tasks(analysis, use->region) -
                              otter_losses_at(losses, OTTER_FINDING_SMALL_TASKS, use->region));
    }
    add_events(context, use->region);
}

// ---- undeferred tasks

// Undeferred tasks are harmless if they are few, or if the run is efficient.
static void find_undeferred(const struct otter_analysis *analysis, struct otter_losses *losses,
                            const struct otter_task_use *use)
{
    bool are_few = analysis->grains.items[use->region].n_lone * 2 <= use->n;
    if (are_few || analysis->efficiency.total >= MOST_EFFICIENCY) {
        otter_losses_move(losses, OTTER_FINDING_UNDEFERRED, use->region, OTTER_FINDING_CHAIN,
                          use->region, (double)UINT64_MAX);
    }
}

void otter_conclude_tasks(const struct otter_analysis *analysis, struct otter_losses *losses,
                          uint64_t *avoidable)
{
    const struct context context = {analysis, losses, avoidable};
    for (uint32_t i = 0; i < analysis->tasks.n; i++) {
        find_small(&context, &analysis->tasks.items[i]);
        find_undeferred(analysis, losses, &analysis->tasks.items[i]);
    }
}
