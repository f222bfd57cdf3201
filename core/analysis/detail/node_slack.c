// Computes how much longer each node may take before the heaviest path, or the realised path,
// grows.
#include "analysis/detail/node_slack.h"

#include <stdlib.h>

#include "base/free.h"
#include "graph/numbers.h"

struct context {
    const struct otter_analysis *analysis;
    const struct otter_graph *graph;
    const uint64_t *work; // of each node
    uint64_t *span;       // slack of each node with respect to the heaviest path
    uint64_t *realised;   // slack of each node with respect to the realised path
};

// ---- with respect to the heaviest path

// Tasks that exclude each other execute one after another.
static void limit_exclusive(const struct context *context)
{
    const struct otter_exclusions *exclusions = &context->analysis->exclusions;
    for (uint32_t i = 0; i < exclusions->n; i++) {
        const struct otter_exclusion *exclusion = &exclusions->items[i];
        uint64_t slack =
            context->analysis->span.span - otter_exclusion_sum(exclusions, i, context->work);
        for (uint32_t k = 0; k < exclusion->n_nodes; k++) {
            uint64_t *own = &context->span[exclusions->nodes[exclusion->first_node + k]];
            *own = slack < *own ? slack : *own;
        }
    }
}

// `through` has a place for each node: first the heaviest path up to the node, then the heaviest
// path through it.
static void find_span_slack(const struct context *context, uint64_t *through)
{
    const struct otter_graph *graph = context->graph;
    const struct otter_ready *ready = &context->analysis->ready;
    uint64_t *behind = context->span;
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t node = ready->order[i];
        through[node] += context->work[node];
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            through[to] = through[node] > through[to] ? through[node] : through[to];
        }
    }
    for (uint32_t i = ready->n_order; i-- > 0;) {
        uint32_t node = ready->order[i];
        uint64_t longest = 0;
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            uint64_t length = behind[to] + context->work[to];
            longest = length > longest ? length : longest;
        }
        behind[node] = longest;
    }
    uint64_t span = context->analysis->span.span;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        through[i] += behind[i];
        context->span[i] = span > through[i] ? span - through[i] : 0;
    }
    limit_exclusive(context);
}

// ---- with respect to the realised path

struct run {
    const struct context *context;
    uint64_t *over;     // when each node was over for its successors
    uint64_t *waited;   // time from the end of the node's last predecessor until the node was over
    uint64_t *latest;   // latest time at which the node may be over without delaying the end
    uint32_t *next;     // next piece on the same thread
    uint32_t *position; // index of each node in the graph's order
    uint32_t *order;    // nodes sorted by `over`
};

static uint64_t time_over(const struct otter_graph *graph, uint32_t index, uint64_t ready)
{
    const struct otter_node *node = &graph->nodes[index];
    uint64_t time = ready > node->start ? ready : node->start;
    return otter_node_joins(graph, index) && time < node->end ? time : node->end;
}

static void find_next(const struct run *run)
{
    const struct otter_pieces *pieces = &run->context->analysis->pieces;
    for (uint32_t i = 0; i < pieces->n_lines; i++) {
        for (uint32_t k = 1; k < pieces->lines[i].n; k++) {
            run->next[pieces->lines[i].nodes[k - 1]] = pieces->lines[i].nodes[k];
        }
    }
}

static void raise_to(uint64_t *time, uint64_t other)
{
    *time = other > *time ? other : *time;
}

// Finds when each node was over, and how much time had passed since the last node that it waited
// for.
static void find_times(const struct run *run)
{
    const struct otter_graph *graph = run->context->graph;
    const struct otter_ready *ready = &run->context->analysis->ready;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        run->over[i] = time_over(graph, i, ready->times[i]);
        run->position[i] = 0;
    }
    for (uint32_t i = 0; i < ready->n_order; i++) {
        run->position[ready->order[i]] = i;
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        for (uint32_t e = graph->first_edge[i]; e < graph->first_edge[i + 1]; e++) {
            raise_to(&run->waited[graph->edge_to[e]], run->over[i]);
        }
        if (run->next[i] != OTTER_NONE) {
            raise_to(&run->waited[run->next[i]], run->over[i]);
        }
    }
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        run->waited[i] = run->over[i] > run->waited[i] ? run->over[i] - run->waited[i] : 0;
    }
}

// Orders all nodes by `over`, with predecessors before their successors.
static bool sort_nodes(const struct run *run)
{
    const struct otter_graph *graph = run->context->graph;
    uint32_t n = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (run->position[i] == 0) {
            run->order[n++] = i;
        }
    }
    const struct otter_ready *ready = &run->context->analysis->ready;
    for (uint32_t i = 1; i < ready->n_order; i++) {
        run->order[n++] = ready->order[i];
    }
    return otter_indexes_sort(run->order, n, run->over, sizeof *run->over);
}

static void lower_to(const struct run *run, uint64_t *time, uint32_t successor)
{
    uint64_t latest = run->latest[successor], waited = run->waited[successor];
    uint64_t bound = latest > waited ? latest - waited : 0;
    *time = bound < *time ? bound : *time;
}

static void find_latest(const struct run *run)
{
    const struct otter_graph *graph = run->context->graph;
    uint64_t end = 0;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        end = otter_node_is_piece(&graph->nodes[i]) && run->over[i] > end ? run->over[i] : end;
    }
    for (uint32_t i = graph->n_nodes; i-- > 0;) {
        uint32_t node = run->order[i];
        uint64_t latest = run->over[node] > end ? run->over[node] : end;
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            lower_to(run, &latest, graph->edge_to[e]);
        }
        if (run->next[node] != OTTER_NONE) {
            lower_to(run, &latest, run->next[node]);
        }
        run->latest[node] = latest;
        run->context->realised[node] = latest > run->over[node] ? latest - run->over[node] : 0;
    }
}

static bool find_realised_slack(const struct context *context)
{
    size_t n = context->graph->n_nodes;
    struct run run = {
        .context = context,
        .over = malloc((n + 1) * sizeof *run.over),
        .waited = calloc(n + 1, sizeof *run.waited),
        .latest = calloc(n + 1, sizeof *run.latest),
        .next = otter_numbers_create(n),
        .position = malloc((n + 1) * sizeof *run.position),
        .order = malloc((n + 1) * sizeof *run.order),
    };
    bool is_good = run.over && run.waited && run.latest && run.next && run.position && run.order;
    if (is_good) {
        find_next(&run);
        find_times(&run);
        is_good = sort_nodes(&run);
    }
    if (is_good) {
        find_latest(&run);
    }
    OTTER_FREE(run.over, run.waited, run.latest, run.next, run.position, run.order);
    return is_good;
}

// ---- all

enum otter_status otter_node_slack_init(struct otter_node_slack *slack,
                                        const struct otter_analysis *analysis)
{
    size_t n = analysis->graph->n_nodes + 1;
    *slack = (struct otter_node_slack){.work = malloc(n * sizeof *slack->work),
                                       .span = calloc(n, sizeof *slack->span),
                                       .realised = calloc(n, sizeof *slack->realised)};
    struct context context = {analysis, analysis->graph, slack->work, slack->span, slack->realised};
    uint64_t *through = calloc(n, sizeof *through);
    bool is_good = slack->work && slack->span && slack->realised && through;
    for (uint32_t i = 0; is_good && i < analysis->graph->n_nodes; i++) {
        slack->work[i] = otter_node_work(analysis->graph, &analysis->pieces, &analysis->costs, i);
    }
    if (is_good) {
        find_span_slack(&context, through);
        is_good = find_realised_slack(&context);
    }
    free(through);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_node_slack_finish(struct otter_node_slack *slack)
{
    OTTER_FREE(slack->work, slack->span, slack->realised);
    *slack = (struct otter_node_slack){0};
}
