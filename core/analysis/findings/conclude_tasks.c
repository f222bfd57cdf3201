// Attributes lost time to causes that only all tasks of a construct together reveal.
#include "analysis/findings/bounds.h"
#include "analysis/findings/conclude.h"

enum { MIN_TASKS = 100 };                 // fewest tasks of a construct that may count as small
static const double MAX_EFFICIENCY = 0.9; // above it, undeferred tasks are harmless

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
    double most = (double)analysis->definitions->clock.resolution / OTTER_MAX_COST;
    double scheduling = (double)analysis->costs.scheduling;
    waited = waited < most ? waited : most;
    return analysis->costs.creation + (uint64_t)(waited > scheduling ? waited : scheduling);
}

uint64_t otter_task_cost_of(const struct otter_analysis *analysis, uint32_t region)
{
    const struct otter_task_use *use = otter_task_use_of(&analysis->tasks, region);
    return use ? otter_task_cost(analysis, use) : 0;
}

// Threads that wait for a creator also wait while it creates tasks, so this time is part of the
// delay.
static void find_creation(const struct otter_analysis *analysis, struct otter_losses *losses,
                          const struct otter_task_use *use)
{
    if (otter_losses_at(losses, OTTER_FINDING_CREATOR, use->region) > 0) {
        otter_losses_move(losses, OTTER_FINDING_DELAY, use->region, OTTER_FINDING_CREATOR,
                          use->region, (double)(use->n_deferred * analysis->costs.creation));
    }
}

// ---- small tasks

// Returns the ticks of a piece that vanish with its task: the recorder's event at its start, unless
// the event is part of a creation. In the task's last piece, the runtime takes as much time again.
// On one thread, no time passes between pieces, so starting and ending a task are part of its
// pieces. Both together take the runtime as long as the creation.
static uint64_t overhead_in(const struct otter_analysis *analysis, uint32_t node)
{
    const struct otter_graph *graph = analysis->graph;
    bool is_last = graph->tasks[graph->nodes[node].task].last_node == node;
    unsigned n_events = (analysis->costs.creating_in[node] == 0) + is_last;
    double runtime = (double)analysis->costs.creation - analysis->recording.event;
    bool is_inside = is_last && analysis->costs.is_alone && runtime > 0;
    uint64_t overhead =
        (uint64_t)(n_events * analysis->recording.event + (is_inside ? runtime : 0));
    uint64_t work = otter_node_work(graph, &analysis->pieces, &analysis->costs, node);
    return work < overhead ? work : overhead;
}

static bool is_piece_of(const struct otter_graph *graph, uint32_t node, uint32_t region)
{
    return graph->nodes[node].kind == OTTER_NODE_FRAGMENT && graph->nodes[node].region == region &&
           graph->tasks[graph->nodes[node].task].kind == OTTER_TASK_KIND_EXPLICIT;
}

// Returns the construct whose task is created at the end of the piece, or OTTER_NONE.
static uint32_t created_by(const struct otter_graph *graph, uint32_t node)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        if (graph->edge_kind[e] == OTTER_EDGE_CREATION) {
            return graph->nodes[graph->edge_to[e]].region;
        }
    }
    return OTTER_NONE;
}

// The estimated cost is the cost of a fast creation, but threads slow each other down. So if a
// piece between two creations is not much longer than this cost, it consists only of the creation.
static uint64_t creation_beyond(const struct otter_analysis *analysis, uint32_t node)
{
    uint64_t work = otter_node_work(analysis->graph, &analysis->pieces, &analysis->costs, node);
    bool is_full = analysis->costs.creating_in[node] == analysis->costs.creation;
    return is_full && work < (OTTER_SLOW_CREATION - 1) * analysis->costs.creation ? work : 0;
}

static void add_execution(const struct context *context, uint32_t region)
{
    const struct otter_analysis *analysis = context->analysis;
    const struct otter_graph *graph = analysis->graph;
    uint64_t executed = 0, most = analysis->account.executing - *context->avoidable;
    for (uint32_t i = 0; i < graph->n_nodes && analysis->recording.event > 0; i++) {
        uint64_t overhead = is_piece_of(graph, i, region) ? overhead_in(analysis, i) : 0;
        uint64_t beyond = created_by(graph, i) == region ? creation_beyond(analysis, i) : 0;
        executed += beyond > overhead ? beyond : overhead;
    }
    executed = executed < most ? executed : most;
    otter_losses_add(context->losses, OTTER_FINDING_SMALL_TASKS, region, (double)executed);
    *context->avoidable += executed;
}

// If a delay is far longer than the delays of other tasks with its label, it has another cause.
static void find_small(const struct context *context, const struct otter_task_use *use)
{
    const struct otter_analysis *analysis = context->analysis;
    struct otter_losses *losses = context->losses;
    uint64_t n = use->n_deferred, cost = otter_task_cost(analysis, use);
    if (n < MIN_TASKS || cost == 0 ||
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
    add_execution(context, use->region);
}

// Divides the cost of recording among all pieces equally: each begins and ends with about the same
// number of events. A piece that ends with a creation counts only for the created task.
double otter_small_tasks_recording(const struct otter_analysis *analysis, uint32_t region)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t n = 0, n_all = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        bool is_piece = otter_node_is_piece(&graph->nodes[i]);
        n_all += is_piece;
        uint32_t created = is_piece ? created_by(graph, i) : OTTER_NONE;
        n += created != OTTER_NONE ? created == region : is_piece_of(graph, i, region);
    }
    return n_all ? (double)analysis->recording.total * (double)n / (double)n_all : 0;
}

// ---- undeferred tasks

// Undeferred tasks are harmless if they are few, or if the run is efficient.
static void find_undeferred(const struct otter_analysis *analysis, struct otter_losses *losses,
                            const struct otter_task_use *use)
{
    bool are_few = analysis->grains.items[use->region].n_lone * 2 <= use->n;
    if (are_few || analysis->efficiency.total >= MAX_EFFICIENCY) {
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
