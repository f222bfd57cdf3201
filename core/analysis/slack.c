// Computes the slack of each node, and sums it up by label.
#include "analysis/slack.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/growth.h"
#include "graph/numbers.h"

struct context {
    const struct otter_analysis *analysis;
    const struct otter_graph *graph;
    uint64_t *work;     // of each node
    uint64_t *span;     // slack of each node beside the heaviest path
    uint64_t *realised; // slack of each node beside the realised path
};

static bool is_executed(const struct otter_node *node)
{
    return otter_node_is_piece(node) || node->kind == OTTER_NODE_DEVICE;
}

// ---- beside the heaviest path

// `through` has places for all nodes: the heaviest path from the first node up to each, then the
// heaviest through each.
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
}

// ---- beside the realised path

struct run {
    const struct context *context;
    uint64_t *over;     // when each node was over for its successors
    uint64_t *waited;   // from the last of its predecessors until it was over
    uint64_t *latest;   // when it may be over without a longer run
    uint32_t *next;     // the piece behind it on its thread
    uint32_t *position; // in the order of the graph
    uint32_t *order;    // by `over`
};

static bool is_wait(const struct otter_node *node)
{
    return node->kind == OTTER_NODE_SYNC || node->kind == OTTER_NODE_END ||
           node->kind == OTTER_NODE_SINK;
}

static uint64_t time_over(const struct otter_node *node, uint64_t ready)
{
    uint64_t time = ready > node->start ? ready : node->start;
    return is_wait(node) && time < node->end ? time : node->end;
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

// Finds when each node was over, and how long after the last node that it waited for.
static void find_times(const struct run *run)
{
    const struct otter_graph *graph = run->context->graph;
    const struct otter_ready *ready = &run->context->analysis->ready;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        run->over[i] = time_over(&graph->nodes[i], ready->times[i]);
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
        run->order[i] = i;
    }
}

static const struct run *sorted_run; // of qsort's comparison; the command has one thread

// The last first; a successor before its predecessors.
static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (sorted_run->over[x] != sorted_run->over[y]) {
        return sorted_run->over[x] > sorted_run->over[y] ? -1 : 1;
    }
    uint32_t left = sorted_run->position[x], right = sorted_run->position[y];
    return left != right ? (left > right ? -1 : 1) : (x < y) - (x > y);
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
    sorted_run = run;
    qsort(run->order, graph->n_nodes, sizeof *run->order, compare);
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
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
        find_latest(&run);
    }
    free(run.over);
    free(run.waited);
    free(run.latest);
    free(run.next);
    free(run.position);
    free(run.order);
    return is_good;
}

// ---- by label

struct labels {
    const struct context *context;
    struct otter_slack_use *uses; // of each label
    uint32_t *last;               // node in which each label was seen last
    uint32_t node;
};

static void add_part(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    struct labels *labels = user;
    if (state != OTTER_STATE_EXECUTING || ticks == 0) {
        return;
    }
    const struct context *context = labels->context;
    label = otter_account_label(&context->analysis->account, label);
    struct otter_slack_use *use = &labels->uses[label];
    use->executed += ticks;
    if (labels->last[label] == labels->node) {
        return;
    }
    labels->last[label] = labels->node;
    uint64_t span = context->span[labels->node], realised = context->realised[labels->node];
    use->least = use->n == 0 || span < use->least ? span : use->least;
    use->realised_least =
        use->n == 0 || realised < use->realised_least ? realised : use->realised_least;
    use->mean += (double)span;
    use->realised_mean += (double)realised;
    use->label = label;
    use->n++;
}

static bool add_labels(const struct context *context, struct otter_slack *slack)
{
    uint32_t n_labels = context->analysis->account.n_labels;
    struct labels labels = {
        .context = context, .uses = slack->items, .last = otter_numbers_create(n_labels)};
    for (uint32_t i = 0; i < context->graph->n_nodes && labels.last; i++) {
        const struct otter_node *node = &context->graph->nodes[i];
        labels.node = i;
        if (is_executed(node)) {
            otter_piece_labels(context->analysis, i, node->start, node->end, add_part, &labels);
        }
    }
    bool is_good = labels.last != NULL;
    free(labels.last);
    return is_good;
}

// ---- growth of the labels

static bool find_growths(const struct context *context, struct otter_slack *slack)
{
    struct otter_growth growth;
    if (otter_growth_init(&growth, context->analysis, context->work)) {
        return false;
    }
    for (uint32_t i = 0; i < slack->n; i++) {
        struct otter_slack_use *use = &slack->items[i];
        use->growth = use->least == 0 ? 0 : NAN;
        if (use->least > 0 && i < OTTER_MOST_GROWTHS) {
            use->growth = otter_growth_of(&growth, use->label);
        }
    }
    otter_growth_finish(&growth);
    return true;
}

// ---- all

static int by_execution(const void *a, const void *b)
{
    const struct otter_slack_use *x = a, *y = b;
    if (x->executed != y->executed) {
        return x->executed > y->executed ? -1 : 1;
    }
    return (x->label > y->label) - (x->label < y->label);
}

static void compress(struct otter_slack *slack, uint32_t n_labels)
{
    for (uint32_t i = 0; i < n_labels; i++) {
        struct otter_slack_use *use = &slack->items[i];
        if (use->n > 0) {
            use->mean /= (double)use->n;
            use->realised_mean /= (double)use->n;
            slack->items[slack->n++] = *use;
        }
    }
    qsort(slack->items, slack->n, sizeof *slack->items, by_execution);
}

static bool compute(const struct context *context, struct otter_slack *slack, uint64_t *through)
{
    const struct otter_analysis *analysis = context->analysis;
    for (uint32_t i = 0; i < context->graph->n_nodes; i++) {
        context->work[i] = otter_node_work(context->graph, &analysis->pieces, &analysis->costs, i);
    }
    find_span_slack(context, through);
    if (!find_realised_slack(context) || !add_labels(context, slack)) {
        return false;
    }
    compress(slack, analysis->account.n_labels);
    return find_growths(context, slack);
}

enum otter_status otter_slack_init(struct otter_slack *slack, const struct otter_analysis *analysis)
{
    size_t n = analysis->graph->n_nodes + 1;
    *slack =
        (struct otter_slack){.items = calloc(analysis->account.n_labels + 1, sizeof *slack->items)};
    struct context context = {.analysis = analysis,
                              .graph = analysis->graph,
                              .work = malloc(n * sizeof *context.work),
                              .span = calloc(n, sizeof *context.span),
                              .realised = calloc(n, sizeof *context.realised)};
    uint64_t *through = calloc(n, sizeof *through);
    bool is_good = slack->items && context.work && context.span && context.realised && through &&
                   compute(&context, slack, through);
    free(context.work);
    free(context.span);
    free(context.realised);
    free(through);
    if (!is_good) {
        otter_slack_finish(slack);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_slack_finish(struct otter_slack *slack)
{
    free(slack->items);
    *slack = (struct otter_slack){0};
}
