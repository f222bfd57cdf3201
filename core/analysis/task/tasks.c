// Sums up explicit tasks by the region of their construct.
#include "analysis/task/tasks.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

struct context {
    const struct otter_graph *graph;
    const struct otter_ready *ready;
    uint64_t *work;  // of each task
    uint32_t *order; // tasks that ran, by region
    uint32_t n;
    struct otter_task_uses *uses;
    bool is_alone; // no team has two threads
};

static int by_work(const void *a, const void *b)
{
    const struct otter_task_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, work), OTTER_BY_1(x, y, region));
}

static void add_work(struct context *context, const struct otter_pieces *pieces,
                     const struct otter_costs *costs)
{
    const struct otter_graph *graph = context->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        if (otter_node_is_piece(&graph->nodes[i])) {
            context->work[graph->nodes[i].task] += otter_node_work(graph, pieces, costs, i);
        }
    }
}

// Returns the region of an explicit task that ran, otherwise OTTER_NONE.
static uint32_t region_of(const struct otter_graph *graph, uint32_t index)
{
    const struct otter_graph_task *task = &graph->tasks[index];
    bool ran = task->kind == OTTER_TASK_KIND_EXPLICIT && task->first_node != OTTER_NONE &&
               otter_node_is_piece(&graph->nodes[task->first_node]);
    return ran ? graph->nodes[task->first_node].region : OTTER_NONE;
}

static uint64_t queued(const struct context *context, uint32_t task)
{
    uint32_t first = context->graph->tasks[task].first_node;
    uint64_t start = context->graph->nodes[first].start, ready = context->ready->times[first];
    return start > ready ? start - ready : 0;
}

// Groups the tasks by region. *first has one place more than there are regions.
static void sort_by_region(struct context *context, uint32_t *first, uint32_t n_regions)
{
    for (uint32_t i = 0; i < context->graph->n_tasks; i++) {
        uint32_t region = region_of(context->graph, i);
        if (region < n_regions) {
            first[region + 1]++;
        }
    }
    for (uint32_t i = 0; i < n_regions; i++) {
        first[i + 1] += first[i];
    }
    for (uint32_t i = 0; i < context->graph->n_tasks; i++) {
        uint32_t region = region_of(context->graph, i);
        if (region < n_regions) {
            context->order[first[region]++] = i;
        }
    }
    for (uint32_t i = n_regions; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
}

static void count_task(const struct context *context, struct otter_task_use *use, uint32_t index)
{
    const struct otter_graph_task *task = &context->graph->tasks[index];
    bool is_undeferred = task->flags & OTTER_NODE_UNDEFERRED;
    use->n++;
    use->n_undeferred += is_undeferred;
    use->n_deferred += !is_undeferred || context->is_alone;
    use->n_moved += task->location != context->graph->nodes[task->first_node].location;
    use->work += context->work[index];
    use->queued += queued(context, index);
    use->creator = use->n == 1                     ? task->creator
                   : use->creator == task->creator ? use->creator
                                                   : OTTER_NONE;
}

static void summarise(struct context *context, uint32_t region, uint32_t begin, uint32_t end,
                      uint64_t *values)
{
    struct otter_task_use *use = &context->uses->items[context->uses->n++];
    *use = (struct otter_task_use){.region = region};
    uint32_t n = end - begin;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t index = context->order[i];
        count_task(context, use, index);
        values[i - begin] = context->work[index];
    }
    otter_numbers_sort(values, n);
    use->min = values[0];
    use->median = values[n / 2];
    use->p99 = values[(uint32_t)((uint64_t)(n - 1) * 99 / 100)];
    use->max = values[n - 1];
    for (uint32_t i = begin; i < end; i++) {
        values[i - begin] = queued(context, context->order[i]);
    }
    otter_numbers_sort(values, n);
    use->median_queued = values[n / 2];
}

static void add_span(struct context *context, const struct otter_pieces *pieces,
                     const struct otter_costs *costs, const struct otter_span *span,
                     uint64_t *on_span)
{
    const struct otter_graph *graph = context->graph;
    for (uint32_t i = 0; i < span->n_path; i++) {
        const struct otter_node *node = &graph->nodes[span->path[i]];
        uint32_t region = region_of(graph, node->task);
        if (region < graph->definitions->n_regions && otter_node_is_piece(node)) {
            on_span[region] += otter_node_work(graph, pieces, costs, span->path[i]);
        }
    }
    for (uint32_t i = 0; i < context->uses->n; i++) {
        context->uses->items[i].on_span = on_span[context->uses->items[i].region];
    }
}

enum otter_status
otter_task_uses_init(struct otter_task_uses *uses, const struct otter_graph *graph,
                     const struct otter_pieces *pieces, const struct otter_ready *ready,
                     const struct otter_costs *costs, const struct otter_span *span)
{
    *uses = (struct otter_task_uses){0};
    uint32_t n_regions = (uint32_t)graph->definitions->n_regions;
    struct context context = {
        .graph = graph, .ready = ready, .uses = uses, .is_alone = costs->is_alone};
    context.work = calloc(graph->n_tasks + 1, sizeof *context.work);
    context.order = malloc((graph->n_tasks + 1) * sizeof *context.order);
    uint32_t *first = calloc(n_regions + 2, sizeof *first);
    uint64_t *values = calloc(graph->n_tasks + n_regions + 1, sizeof *values);
    uses->items = calloc(n_regions + 1, sizeof *uses->items);
    bool is_good = context.work && context.order && first && values && uses->items;
    if (is_good) {
        add_work(&context, pieces, costs);
        sort_by_region(&context, first, n_regions);
        for (uint32_t i = 0; i < n_regions; i++) {
            if (first[i + 1] > first[i]) {
                summarise(&context, i, first[i], first[i + 1], values);
            }
        }
        for (uint32_t i = 0; i < n_regions; i++) {
            values[i] = 0;
        }
        add_span(&context, pieces, costs, span, values);
        qsort(uses->items, uses->n, sizeof *uses->items, by_work);
    }
    OTTER_FREE(context.work, context.order, first, values);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_task_uses_finish(struct otter_task_uses *uses)
{
    free(uses->items);
    *uses = (struct otter_task_uses){0};
}

const struct otter_task_use *otter_task_use_of(const struct otter_task_uses *uses, uint32_t region)
{
    for (uint32_t i = 0; i < uses->n; i++) {
        if (uses->items[i].region == region) {
            return &uses->items[i];
        }
    }
    return NULL;
}
