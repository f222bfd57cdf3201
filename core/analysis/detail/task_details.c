// Adds up explicit tasks along the creation tree, and by thread.
#include "analysis/detail/task_details.h"

#include <stdlib.h>

#include "analysis/time/quantiles.h"
#include "analysis/time/states.h"
#include "base/free.h"
#include "graph/numbers.h"

struct context {
    const struct otter_analysis *analysis;
    const struct otter_graph *graph;
    struct otter_task_detail *details;
    uint64_t *work;  // of each task; in the end, including its descendants
    uint32_t *place; // of each region in the table of tasks
    uint32_t *use;   // of each explicit task that ran: its place; OTTER_NONE for all others
    uint32_t *first_child, *next;
    uint32_t *n_open;  // of each place: open tasks around the current one
    uint64_t *threads; // work of each place on each thread
    struct otter_quantiles *queued;
    uint32_t n_uses, n_threads;
    bool is_short_of_memory;
};

static uint64_t work_of(const struct context *context, uint32_t node)
{
    const struct otter_analysis *analysis = context->analysis;
    return otter_node_work(context->graph, &analysis->pieces, &analysis->costs, node);
}

// ---- nodes

static void add_node(struct context *context, uint32_t index)
{
    const struct otter_node *node = &context->graph->nodes[index];
    const struct otter_graph_task *task = &context->graph->tasks[node->task];
    context->work[node->task] += work_of(context, index);
    uint32_t n_regions = (uint32_t)context->analysis->definitions->n_regions;
    uint32_t use = node->region < n_regions ? context->place[node->region] : OTTER_NONE;
    if (task->first_node == index && task->kind == OTTER_TASK_KIND_EXPLICIT && use != OTTER_NONE) {
        uint64_t ready = context->analysis->ready.times[index];
        context->use[node->task] = use;
        context->is_short_of_memory |= !otter_quantiles_add(
            &context->queued[use], node->start > ready ? node->start - ready : 0);
    }
}

// Called after add_node for all nodes, because the first node of a task may come after its other
// nodes.
static void add_thread(struct context *context, uint32_t index)
{
    const struct otter_node *node = &context->graph->nodes[index];
    uint32_t use = context->use[node->task];
    uint32_t line = context->analysis->timeline.line_of[node->location];
    if (use != OTTER_NONE && line != OTTER_NONE) {
        uint64_t *work = &context->threads[(size_t)use * context->n_threads + line];
        *work += work_of(context, index);
        struct otter_task_detail *detail = &context->details[use];
        detail->most = *work > detail->most ? *work : detail->most;
    }
}

static void gather(struct context *context)
{
    for (uint32_t i = 0; i < context->graph->n_nodes; i++) {
        if (otter_node_is_piece(&context->graph->nodes[i])) {
            add_node(context, i);
        }
    }
    for (uint32_t i = 0; i < context->graph->n_nodes; i++) {
        if (otter_node_is_piece(&context->graph->nodes[i])) {
            add_thread(context, i);
        }
    }
    for (uint32_t i = 0; i < context->n_uses; i++) {
        context->details[i].p99_queued = otter_quantiles_at(&context->queued[i], 99);
    }
}

// ---- creation

// Returns the place of the task created at the end of the node; OTTER_NONE: none.
static uint32_t created_at(const struct context *context, uint32_t node)
{
    const struct otter_graph *graph = context->graph;
    for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
        uint32_t task = graph->nodes[graph->edge_to[e]].task;
        if (graph->edge_kind[e] == OTTER_EDGE_CREATION && context->use[task] != OTTER_NONE &&
            graph->tasks[task].first_node == graph->edge_to[e]) {
            return context->use[task];
        }
    }
    return OTTER_NONE;
}

static uint32_t label_at_end(const struct context *context, uint32_t index)
{
    const struct otter_node *node = &context->graph->nodes[index];
    const struct otter_timeline *timeline = &context->analysis->timeline;
    uint32_t line = timeline->line_of[node->location];
    if (line == OTTER_NONE) {
        return node->region;
    }
    uint64_t time = node->end > node->start ? node->end - 1 : node->end;
    return timeline->lines[line]
        .intervals.items[otter_interval_at(&timeline->lines[line], time)]
        .label;
}

static void add_creations(struct context *context)
{
    const struct otter_analysis *analysis = context->analysis;
    for (uint32_t i = 0; i < analysis->pieces.n_lines; i++) {
        const struct otter_thread_pieces *line = &analysis->pieces.lines[i];
        for (uint32_t k = 0; k < line->n; k++) {
            uint32_t use = created_at(context, line->nodes[k]);
            if (use == OTTER_NONE) {
                continue;
            }
            struct otter_task_detail *detail = &context->details[use];
            uint32_t label = label_at_end(context, line->nodes[k]);
            detail->has_more_creators |= detail->creator != OTTER_NONE && detail->creator != label;
            detail->creator = label < detail->creator ? label : detail->creator;
            detail->creating +=
                k + 1 < line->n ? analysis->costs.creating_in[line->nodes[k + 1]] : 0;
        }
    }
}

// ---- the tree of tasks

static uint32_t link_tasks(struct context *context)
{
    uint32_t first = OTTER_NONE;
    for (uint32_t i = context->graph->n_tasks; i-- > 0;) {
        uint32_t creator = context->graph->tasks[i].creator;
        uint32_t *list = creator == OTTER_NONE ? &first : &context->first_child[creator];
        context->next[i] = *list;
        *list = i;
    }
    return first;
}

static void begin_task(struct context *context, uint32_t task)
{
    if (context->use[task] != OTTER_NONE) {
        context->n_open[context->use[task]]++;
    }
}

// A task inside a task with the same label is already part of that task's time.
static void end_task(struct context *context, uint32_t task)
{
    uint32_t use = context->use[task], creator = context->graph->tasks[task].creator;
    if (use != OTTER_NONE && --context->n_open[use] == 0) {
        context->details[use].inclusive += context->work[task];
    }
    if (creator != OTTER_NONE) {
        context->work[creator] += context->work[task];
    }
}

// A depth-first search. Tasks on a cycle of a damaged archive are never reached.
static void add_descendants(struct context *context)
{
    uint32_t task = link_tasks(context);
    while (task != OTTER_NONE) {
        begin_task(context, task);
        if (context->first_child[task] != OTTER_NONE) {
            task = context->first_child[task];
            continue;
        }
        uint32_t next = OTTER_NONE;
        while (task != OTTER_NONE && next == OTTER_NONE) {
            end_task(context, task);
            next = context->next[task];
            task = context->graph->tasks[task].creator;
        }
        task = next;
    }
}

// ---- all

static void finish(struct context *context)
{
    for (uint32_t i = 0; i < context->n_uses && context->queued; i++) {
        otter_quantiles_finish(&context->queued[i]);
    }
    OTTER_FREE(context->work, context->place, context->use, context->first_child, context->next,
               context->n_open, context->threads, context->queued);
}

static bool allocate(struct context *context)
{
    size_t n_tasks = context->graph->n_tasks, n_uses = context->n_uses;
    context->work = calloc(n_tasks + 1, sizeof *context->work);
    context->place = otter_numbers_create(context->analysis->definitions->n_regions);
    context->use = otter_numbers_create(n_tasks);
    context->first_child = otter_numbers_create(n_tasks);
    context->next = otter_numbers_create(n_tasks);
    context->n_open = calloc(n_uses + 1, sizeof *context->n_open);
    context->threads = calloc(n_uses * context->n_threads + 1, sizeof *context->threads);
    context->queued = calloc(n_uses + 1, sizeof *context->queued);
    return context->details && context->work && context->place && context->use &&
           context->first_child && context->next && context->n_open && context->threads &&
           context->queued;
}

enum otter_status otter_task_details_init(struct otter_task_details *details,
                                          const struct otter_analysis *analysis)
{
    const struct otter_task_uses *uses = &analysis->tasks;
    *details = (struct otter_task_details){
        .items = calloc((size_t)uses->n + 1, sizeof *details->items), .n = uses->n};
    struct context context = {.analysis = analysis,
                              .graph = analysis->graph,
                              .details = details->items,
                              .n_uses = uses->n,
                              .n_threads = analysis->timeline.n_lines};
    bool is_good = allocate(&context);
    for (uint32_t i = 0; i < uses->n && is_good; i++) {
        context.place[uses->items[i].region] = i;
        details->items[i].creator = OTTER_NONE;
    }
    if (is_good) {
        gather(&context);
        add_creations(&context);
        add_descendants(&context);
    }
    finish(&context);
    if (!is_good || context.is_short_of_memory) {
        otter_task_details_finish(details);
        return OTTER_NO_MEMORY;
    }
    return OTTER_OK;
}

void otter_task_details_finish(struct otter_task_details *details)
{
    free(details->items);
    *details = (struct otter_task_details){0};
}
