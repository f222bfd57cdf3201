// Executes the steps of a task: each kind of step changes the task's chain in its own way.
#include <string.h>

#include "graph/build/step.h"
#include "graph/build/edges/construct.h"

// ---- tasks

static void add_child(struct otter_parts *parts, struct otter_context *context,
                      const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    uint32_t child = step->index;
    struct otter_graph_task *task = &store->tasks.items[child];
    task->creator = context->task;
    store->task_scope.items[child] =
        otter_join_scope_of(&parts->joins, store, &parts->open, context);
    if (step->is_adopted) {
        OTTER_APPEND(store, &parts->joins.adoptions,
                     (struct otter_adoption){.task = child, .creator = context->task});
    } else {
        store->task_next.items[child] = context->unjoined;
        context->unjoined = child;
    }
    otter_store_edge(store, context->position, task->first_node, OTTER_EDGE_CREATION);
    store->nodes.items[context->position].flags |= OTTER_BUILD_CREATED;
    otter_chain_undeferred(store, context, task->first_node);
}

static void create(struct otter_parts *parts, struct otter_context *context,
                   const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    uint32_t first = step->first_entry;
    uint32_t n = step->n_entries;
    if (context->has_wait && step->is_at_once && n == 0) {
        context->has_wait = false;
        first = context->wait_first;
        n = context->wait_n;
        context->wait_n = 0;
        otter_open_end_wait(&parts->open, store, context, context->wait_end);
    } else {
        otter_construct_flush_wait(parts, context);
    }
    bool was_running = context->running == OTTER_RUNNING;
    otter_chain_cut(store, context, step->time);
    add_child(parts, context, step);
    struct otter_dependent newest = {
        .index = step->index, .is_task = true, .scope = store->task_scope.items[step->index]};
    otter_depend_add(&parts->dependences, store, &parts->joins, context, newest, first, n);
    if (was_running) {
        otter_chain_run(store, context, step->time);
    }
}

static void end_undeferred(struct otter_parts *parts, struct otter_context *context,
                           const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    if (!otter_is_structure(store) || !context->is_serial) {
        context->undeferred = step->index;
        store->tasks.items[step->index].flags |= OTTER_NODE_UNDEFERRED;
    }
}

// ---- teams

static void do_fork(struct otter_parts *parts, struct otter_context *context,
                    const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    otter_open_interrupt(&parts->open, store, context, step->time);
    otter_open_begin_wait(store, context, step->time);
    uint32_t before = context->position;
    uint32_t node =
        otter_chain_add(store, context, OTTER_NODE_BEGIN, OTTER_NONE, step->time, step->time);
    if (otter_is_structure(store)) {
        otter_chain_nest(store, context, node, before);
    }
    parts->teams.forks.items[step->index].begin = node;
}

static void do_join(struct otter_parts *parts, struct otter_context *context,
                    const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    struct otter_fork *fork = &parts->teams.forks.items[step->index];
    uint32_t node =
        otter_chain_make(store, context, OTTER_NODE_END, OTTER_NONE, step->time, step->time);
    store->nodes.items[node].scope = fork->begin;
    parts->teams.forks.items[step->index].end = node;
    otter_chain_append(store, context, node); // otter_teams_build() adds the edge
    otter_open_end_wait(&parts->open, store, context, step->time);
}

// ---- iterations, fulfilments, operations

static void pass_iteration(struct otter_parts *parts, struct otter_context *context,
                           const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    bool is_source = step->kind == OTTER_STEP_SOURCE;
    const struct otter_open_construct *open = otter_open_top(&parts->open, context);
    bool is_wait = open && open->class == OTTER_CLASS_ORDERED; // the wait for a sink
    open = is_wait && parts->open.n - 1 > context->first_open ? open - 1 : open;
    uint32_t region = open ? open->region : OTTER_NONE;
    otter_chain_cut(store, context, step->time);
    otter_chain_add(store, context, is_source ? OTTER_NODE_SOURCE : OTTER_NODE_SINK, region,
                    step->time, step->time);
    uint64_t iteration = otter_doacross_iteration(
        parts->dependences.entries.items + step->first_entry, step->n_entries);
    otter_doacross_add(&parts->doacross, store, context, iteration, is_source);
    otter_chain_run(store, context, step->time);
    otter_depend_trim(&parts->dependences, step->first_entry, step->n_entries);
}

static void fulfil(struct otter_parts *parts, struct otter_context *context,
                   const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    uint32_t by = context->task == step->index ? OTTER_NONE : context->position;
    if (context->running == OTTER_RUNNING) {
        otter_chain_cut(store, context, step->time);
        otter_chain_run(store, context, step->time);
    }
    OTTER_APPEND(store, &parts->ends.fulfilments,
                 (struct otter_fulfilment){.time = step->time,
                                           .task = step->index,
                                           .by = by,
                                           .undeferred = context->undeferred,
                                           .location = step->location,
                                           .is_by_nobody = context->position == OTTER_NONE});
}

// Begins the device operation that the innermost construct requests.
static void begin_operation(struct otter_parts *parts, struct otter_context *context,
                            const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    struct otter_operation *operation = &parts->operations.requests.items[step->index];
    struct otter_open_construct *innermost = otter_open_top(&parts->open, context);
    if (!innermost) {
        return;
    }
    if (innermost->class == OTTER_CLASS_TARGET) {
        // Operations of other threads refer to the target construct by this id.
        parts->operations.targets.items[innermost->scope].has_operations = true;
        operation->target = innermost->scope;
        operation->scope = innermost->begin == OTTER_NONE ? OTTER_OF_TASK : innermost->begin;
        return;
    }
    bool was_running = context->running == OTTER_RUNNING;
    otter_chain_cut(store, context, step->time);
    operation->from = context->position;
    if (was_running) { // a kernel launch, which has no node in the fragments view
        otter_chain_run(store, context, step->time);
    }
    operation->is_async =
        strcmp(store->definitions->regions[innermost->region].description, "nowait") == 0;
    operation->task = context->task;
    operation->scope = context->scope;
    if (innermost->class == OTTER_CLASS_OPERATION) {
        innermost->scope = step->index;
    }
    for (uint32_t i = parts->open.n; i > context->first_open; i--) {
        const struct otter_open_construct *open = &parts->open.items[i - 1];
        if (open->class == OTTER_CLASS_TARGET) {
            operation->target = open->scope;
            operation->scope = open->begin == OTTER_NONE ? OTTER_OF_TASK : open->begin;
            parts->operations.targets.items[open->scope].has_operations = true;
            return;
        }
    }
}

// ---- steps

void otter_step_do(struct otter_parts *parts, struct otter_context *context,
                   const struct otter_step *step)
{
    struct otter_store *store = &parts->store;
    context->location = step->location;
    if (step->kind != OTTER_STEP_CREATE && step->kind != OTTER_STEP_LIST) {
        otter_construct_flush_wait(parts, context);
    }
    switch ((enum otter_step_kind)step->kind) {
    case OTTER_STEP_RUN:
    case OTTER_STEP_BACK:
        otter_open_resume(&parts->open, store, context, step->time);
        otter_chain_run(store, context, step->time);
        break;
    case OTTER_STEP_PAUSE:
    case OTTER_STEP_AWAY:
        otter_open_interrupt(&parts->open, store, context, step->time);
        otter_chain_pause(store, context, step->time);
        break;
    case OTTER_STEP_CREATE: create(parts, context, step); break;
    case OTTER_STEP_UNDEFERRED: end_undeferred(parts, context, step); break;
    case OTTER_STEP_ENTER: otter_construct_enter(parts, context, step->index, step->time); break;
    case OTTER_STEP_LEAVE: otter_construct_leave(parts, context, step->index, step->time); break;
    case OTTER_STEP_LIST:
        context->wait_first = step->first_entry;
        context->wait_n = step->n_entries;
        break;
    case OTTER_STEP_FORK: do_fork(parts, context, step); break;
    case OTTER_STEP_JOIN: do_join(parts, context, step); break;
    case OTTER_STEP_SOURCE:
    case OTTER_STEP_SINK: pass_iteration(parts, context, step); break;
    case OTTER_STEP_FULFIL: fulfil(parts, context, step); break;
    case OTTER_STEP_OPERATION: begin_operation(parts, context, step); break;
    }
}

void otter_step_finish(struct otter_parts *parts, struct otter_context *context, uint64_t time)
{
    struct otter_store *store = &parts->store;
    otter_construct_flush_wait(parts, context);
    otter_construct_leave_all(parts, context, time);
    otter_construct_flush_wait(parts, context);
    otter_chain_pause(store, context, time);
    if (context->undeferred != OTTER_NONE) {
        // The end of the child precedes each successor of the body.
        OTTER_APPEND(store, &parts->ends.tails,
                     (struct otter_tail){.task = context->task, .child = context->undeferred});
    }
    otter_depend_clear(context);
}
