// Estimates the costs of creation, scheduling and joins.
#include "analysis/path/costs.h"

#include <stdlib.h>

#include "graph/numbers.h"

struct samples {
    OTTER_VECTOR(uint64_t);
};

static bool add(struct samples *samples, uint64_t value)
{
    return OTTER_VECTOR_ADD(samples, value);
}

static uint64_t low_quantile(const struct samples *samples)
{
    return samples->n ? otter_numbers_select(samples->items, samples->n, samples->n / 10) : 0;
}

bool otter_node_begins_task(const struct otter_graph *graph, uint32_t node)
{
    const struct otter_graph_task *task = &graph->tasks[graph->nodes[node].task];
    return graph->nodes[node].kind == OTTER_NODE_FRAGMENT && task->first_node == node &&
           task->kind == OTTER_TASK_KIND_EXPLICIT && !(task->flags & OTTER_NODE_UNDEFERRED);
}

bool otter_node_creates(const struct otter_graph *graph, uint32_t node)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        if (graph->edge_kind[e] == OTTER_EDGE_CREATION &&
            otter_node_begins_task(graph, graph->edge_to[e])) {
            return true;
        }
    }
    return false;
}

struct context {
    struct otter_costs *costs;
    const struct otter_graph *graph;
    const struct otter_pieces *pieces;
    const struct otter_ready *ready;
    struct samples samples;
};

// Returns whether the node ends because its task executes an undeferred task.
static bool creates_undeferred(const struct otter_graph *graph, uint32_t node)
{
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        const struct otter_node *to = &graph->nodes[graph->edge_to[e]];
        if (graph->edge_kind[e] == OTTER_EDGE_CREATION && to->kind == OTTER_NODE_FRAGMENT &&
            graph->tasks[to->task].flags & OTTER_NODE_UNDEFERRED) {
            return true;
        }
    }
    return false;
}

// Returns whether the node is the piece of a creator right after its undeferred task.
static bool is_behind_undeferred(const struct otter_graph *graph, uint32_t before, uint32_t node)
{
    const struct otter_graph_task *task = &graph->tasks[graph->nodes[before].task];
    return task->creator == graph->nodes[node].task && task->last_node == before &&
           (task->flags & OTTER_NODE_UNDEFERRED) &&
           graph->nodes[before].end == graph->nodes[node].start;
}

static bool has_creation(const struct otter_graph *graph, uint32_t from, uint32_t to)
{
    for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
        if (graph->edge_kind[e] == OTTER_EDGE_CREATION && graph->edge_to[e] == to) {
            return true;
        }
    }
    return false;
}

// If the queue of a thread is full, the thread executes a task as soon as it has created the task.
// If such a task ended right before the k-th piece, returns the creator's piece between the task's
// creation and its start; otherwise OTTER_NONE.
static uint32_t before_executed(const struct otter_graph *graph,
                                const struct otter_thread_pieces *line, uint32_t k)
{
    const struct otter_node *nodes = graph->nodes;
    if (k < 3) {
        return OTTER_NONE;
    }
    uint32_t creating = line->nodes[k - 3], between = line->nodes[k - 2];
    uint32_t task = line->nodes[k - 1], node = line->nodes[k];
    bool is_same = nodes[creating].task == nodes[node].task &&
                   nodes[between].task == nodes[node].task && nodes[task].end == nodes[node].start;
    return is_same && has_creation(graph, creating, task) ? between : OTTER_NONE;
}

static bool is_behind_creation(const struct otter_graph *graph, uint32_t before, uint32_t node)
{
    return graph->nodes[before].task == graph->nodes[node].task &&
           graph->nodes[before].end == graph->nodes[node].start &&
           otter_node_creates(graph, before);
}

// A piece that begins right after a creation by the same task, or after the created task.
struct creation {
    uint32_t node;
    uint32_t begun;  // the piece in which the creation began, if the task was executed immediately
    bool is_between; // ends with another creation
};

static struct creation creation_at(const struct context *context,
                                   const struct otter_thread_pieces *line, uint32_t k)
{
    const struct otter_graph *graph = context->graph;
    uint32_t before = line->nodes[k - 1], node = line->nodes[k];
    bool is_alone = context->costs->is_alone;
    bool is_behind = is_behind_creation(graph, before, node) ||
                     (is_alone && is_behind_undeferred(graph, before, node));
    uint32_t begun = is_behind ? OTTER_NONE : before_executed(graph, line, k);
    bool is_between = is_behind && (otter_node_creates(graph, node) ||
                                    (is_alone && creates_undeferred(graph, node)));
    return (struct creation){is_behind || begun != OTTER_NONE ? node : OTTER_NONE, begun,
                             is_between};
}

static bool each_creation(const struct context *context,
                          bool (*use)(void *, const struct creation *), void *user)
{
    const struct otter_pieces *pieces = context->pieces;
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        const struct otter_thread_pieces *line = &pieces->lines[i];
        for (uint32_t k = 1; k < line->n; k++) {
            struct creation creation = creation_at(context, line, k);
            if (creation.node != OTTER_NONE && !use(user, &creation)) {
                return false;
            }
        }
    }
    return true;
}

static bool sample_creation(void *user, const struct creation *creation)
{
    struct context *context = user;
    return !creation->is_between ||
           add(&context->samples, otter_slim_get(&context->pieces->work, creation->node));
}

static bool charge_creation(void *user, const struct creation *creation)
{
    struct context *context = user;
    struct otter_costs *costs = context->costs;
    uint64_t work = otter_slim_get(&context->pieces->work, creation->node);
    uint64_t begun = creation->begun != OTTER_NONE ? costs->creating_in[creation->begun] : 0;
    uint64_t cost = costs->creation - begun;
    costs->creating_in[creation->node] = (uint32_t)(work < cost ? work : cost);
    costs->creating += costs->creating_in[creation->node];
    return true;
}

// Sets *gap to the time between the previous piece and the start of a task that was ready by then.
// Returns false if the node does not start such a task.
static bool scheduling_of(const struct context *context, const struct otter_thread_pieces *line,
                          uint32_t k, uint64_t *gap)
{
    const struct otter_node *nodes = context->graph->nodes;
    uint32_t node = line->nodes[k];
    if (!otter_node_begins_task(context->graph, node) ||
        context->ready->times[node] > nodes[line->nodes[k - 1]].end) {
        return false;
    }
    *gap = nodes[node].start - nodes[line->nodes[k - 1]].end;
    return nodes[node].start >= nodes[line->nodes[k - 1]].end;
}

static bool sample_schedulings(struct context *context)
{
    for (uint32_t i = 0; i < context->pieces->n_lines; i++) {
        const struct otter_thread_pieces *line = &context->pieces->lines[i];
        for (uint32_t k = 1; k < line->n; k++) {
            uint64_t gap;
            if (scheduling_of(context, line, k, &gap) && !add(&context->samples, gap)) {
                return false;
            }
        }
    }
    return true;
}

static void charge_schedulings(struct context *context)
{
    uint64_t cost = context->costs->scheduling;
    for (uint32_t i = 0; i < context->pieces->n_lines; i++) {
        const struct otter_thread_pieces *line = &context->pieces->lines[i];
        for (uint32_t k = 1; k < line->n; k++) {
            uint64_t gap;
            if (scheduling_of(context, line, k, &gap)) {
                context->costs->scheduling_sum += gap < cost ? gap : cost;
            }
        }
    }
}

static bool sample_joins(struct context *context)
{
    const struct otter_graph *graph = context->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        uint32_t last = context->ready->last[i];
        bool is_join = node->kind == OTTER_NODE_SYNC && last != OTTER_NONE &&
                       graph->nodes[last].task != node->task &&
                       context->ready->times[i] > node->start;
        if (is_join && node->end >= context->ready->times[i] &&
            !add(&context->samples, node->end - context->ready->times[i])) {
            return false;
        }
    }
    return true;
}

// Sets a cost to a quantile of the samples. Leaves out longer durations: they are work of the
// program, or sleep.
static uint64_t conclude(struct context *context, uint64_t *n)
{
    uint64_t cost = low_quantile(&context->samples);
    uint64_t most = context->graph->definitions->clock.resolution / OTTER_MAX_COST;
    bool is_known = cost <= (most && most < UINT32_MAX ? most : UINT32_MAX);
    *n = is_known ? context->samples.n : 0;
    context->samples.n = 0;
    return is_known ? cost : 0;
}

static bool is_alone(const struct otter_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        if (graph->teams[i].n_members > 1) {
            return false;
        }
    }
    return graph->n_teams > 0;
}

enum otter_status otter_costs_init(struct otter_costs *costs, const struct otter_graph *graph,
                                   const struct otter_pieces *pieces,
                                   const struct otter_ready *ready)
{
    *costs = (struct otter_costs){0};
    struct context context = {.costs = costs, .graph = graph, .pieces = pieces, .ready = ready};
    costs->creating_in = calloc(graph->n_nodes + 1, sizeof *costs->creating_in);
    costs->is_alone = is_alone(graph);
    bool is_good = costs->creating_in && each_creation(&context, sample_creation, &context);
    costs->creation = is_good ? conclude(&context, &costs->n_creations) : 0;
    is_good = is_good && sample_schedulings(&context);
    costs->scheduling = is_good ? conclude(&context, &costs->n_schedulings) : 0;
    is_good = is_good && sample_joins(&context);
    costs->join = is_good ? conclude(&context, &costs->n_joins) : 0;
    free(context.samples.items);
    if (!is_good) {
        otter_costs_finish(costs);
        return OTTER_NO_MEMORY;
    }
    context.samples = (struct samples){0};
    each_creation(&context, charge_creation, &context);
    charge_schedulings(&context);
    return OTTER_OK;
}

void otter_costs_finish(struct otter_costs *costs)
{
    free(costs->creating_in);
    *costs = (struct otter_costs){0};
}
