// Sums up explicit tasks by the region of their construct.
#include "analysis/task/tasks.h"

#include <stdlib.h>

#include "base/free.h"
#include "base/order.h"
#include "graph/numbers.h"

struct task {
    uint64_t work, queued;
    uint32_t region, creator;
    uint16_t begun_on;
    uint8_t flags;
    bool ran;
};

struct context {
    const struct otter_graph *graph;
    struct task *tasks; // of the graph
    uint32_t *order;    // tasks that ran, by region
    uint32_t n;
    struct otter_task_uses *uses;
    bool is_alone; // no team has two threads
};

static int by_work(const void *a, const void *b)
{
    const struct otter_task_use *x = a, *y = b;
    return otter_order(OTTER_BY_1(y, x, work), OTTER_BY_1(x, y, region));
}

static void gather(struct context *context, const struct otter_pieces *pieces,
                   const struct otter_ready *ready, const struct otter_costs *costs)
{
    const struct otter_graph *graph = context->graph;
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (!otter_node_is_piece(node)) {
            continue;
        }
        struct task *task = &context->tasks[node->task];
        const struct otter_graph_task *whole = &graph->tasks[node->task];
        task->work += otter_node_work(graph, pieces, costs, i);
        if (whole->first_node == i) {
            task->ran = whole->kind == OTTER_TASK_KIND_EXPLICIT;
            task->region = node->region;
            task->begun_on = node->location;
            task->creator = whole->creator;
            task->flags = whole->flags;
            task->queued = node->start > ready->times[i] ? node->start - ready->times[i] : 0;
        }
    }
}

// Groups the tasks by region. *first has one place more than there are regions.
static void sort_by_region(struct context *context, uint32_t *first, uint32_t n_regions)
{
    for (uint32_t i = 0; i < context->graph->n_tasks; i++) {
        if (context->tasks[i].ran && context->tasks[i].region < n_regions) {
            first[context->tasks[i].region + 1]++;
        }
    }
    for (uint32_t i = 0; i < n_regions; i++) {
        first[i + 1] += first[i];
    }
    for (uint32_t i = 0; i < context->graph->n_tasks; i++) {
        if (context->tasks[i].ran && context->tasks[i].region < n_regions) {
            context->order[first[context->tasks[i].region]++] = i;
        }
    }
    for (uint32_t i = n_regions; i > 0; i--) {
        first[i] = first[i - 1];
    }
    first[0] = 0;
}

static void count_task(const struct context *context, struct otter_task_use *use, uint32_t index)
{
    const struct task *task = &context->tasks[index];
    bool is_undeferred = task->flags & OTTER_NODE_UNDEFERRED;
    use->n++;
    use->n_undeferred += is_undeferred;
    use->n_deferred += !is_undeferred || context->is_alone;
    use->n_moved += context->graph->tasks[index].location != task->begun_on;
    use->work += task->work;
    use->queued += task->queued;
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
        values[i - begin] = context->tasks[index].work;
    }
    otter_numbers_sort(values, n);
    use->min = values[0];
    use->median = values[n / 2];
    use->p99 = values[(uint32_t)((uint64_t)(n - 1) * 99 / 100)];
    use->max = values[n - 1];
    for (uint32_t i = begin; i < end; i++) {
        values[i - begin] = context->tasks[context->order[i]].queued;
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
        const struct task *task = &context->tasks[graph->nodes[span->path[i]].task];
        if (task->ran && task->region < graph->definitions->n_regions &&
            otter_node_is_piece(&graph->nodes[span->path[i]])) {
            on_span[task->region] += otter_node_work(graph, pieces, costs, span->path[i]);
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
    struct context context = {.graph = graph, .uses = uses, .is_alone = costs->is_alone};
    context.tasks = calloc(graph->n_tasks + 1, sizeof *context.tasks);
    context.order = malloc((graph->n_tasks + 1) * sizeof *context.order);
    uint32_t *first = calloc(n_regions + 2, sizeof *first);
    uint64_t *values = calloc(graph->n_tasks + n_regions + 1, sizeof *values);
    uses->items = calloc(n_regions + 1, sizeof *uses->items);
    bool is_good = context.tasks && context.order && first && values && uses->items;
    if (is_good) {
        gather(&context, pieces, ready, costs);
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
    OTTER_FREE(context.tasks, context.order, first, values);
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
