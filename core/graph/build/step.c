// Executes the steps of a task: each kind of step changes the task's chain in its own way.
#include <string.h>

#include "graph/build/chain.h"

// ---- tasks

static void adopt(struct otter_builder *builder, struct otter_context *context, uint32_t child)
{
    if (!OTTER_VECTOR_RESERVE(&builder->adoptions)) {
        builder->has_failed = true;
        return;
    }
    builder->adoptions.items[builder->adoptions.n++] =
        (struct otter_adoption){.task = child, .creator = context->task};
}

static void add_child(struct otter_builder *builder, struct otter_context *context,
                      const struct otter_step *step)
{
    uint32_t child = step->index;
    struct otter_graph_task *task = &builder->tasks.items[child];
    task->creator = context->task;
    builder->task_scope.items[child] = otter_join_scope_of(builder, context);
    if (step->is_adopted) {
        adopt(builder, context, child);
    } else {
        builder->task_next.items[child] = context->unjoined;
        context->unjoined = child;
    }
    otter_build_edge(builder, context->position, task->first_node, OTTER_EDGE_CREATION);
    builder->nodes.items[context->position].flags |= OTTER_BUILD_CREATED;
    otter_chain_undeferred(builder, context, task->first_node);
}

static void create(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    uint32_t first = step->first_entry;
    uint32_t n = step->n_entries;
    if (context->has_wait && step->is_at_once && n == 0) {
        context->has_wait = false;
        first = context->wait_first;
        n = context->wait_n;
        context->wait_n = 0;
        otter_chain_end_wait(builder, context, context->wait_end);
    } else {
        otter_chain_settle_wait(builder, context);
    }
    bool was_running = context->running == OTTER_RUNNING;
    otter_chain_cut(builder, context, step->time);
    add_child(builder, context, step);
    struct otter_dependent newest = {step->index, true, builder->task_scope.items[step->index]};
    otter_depend_add(builder, context, newest, first, n);
    if (was_running) {
        otter_chain_run(builder, context, step->time);
    }
}

static void end_undeferred(struct otter_builder *builder, struct otter_context *context,
                           const struct otter_step *step)
{
    if (!otter_is_structure(builder) || !context->is_serial) {
        context->undeferred = step->index;
        builder->tasks.items[step->index].flags |= OTTER_NODE_UNDEFERRED;
    }
}

// ---- teams

static void do_fork(struct otter_builder *builder, struct otter_context *context,
                    const struct otter_step *step)
{
    otter_chain_interrupt(builder, context, step->time);
    otter_chain_begin_wait(builder, context, step->time);
    uint32_t before = context->position;
    uint32_t node =
        otter_chain_add(builder, context, OTTER_NODE_BEGIN, OTTER_NONE, step->time, step->time);
    if (otter_is_structure(builder)) {
        otter_chain_nest(builder, context, node, before);
    }
    builder->forks.items[step->index].begin = node;
}

static void do_join(struct otter_builder *builder, struct otter_context *context,
                    const struct otter_step *step)
{
    struct otter_fork *fork = &builder->forks.items[step->index];
    uint32_t node =
        otter_chain_make(builder, context, OTTER_NODE_END, OTTER_NONE, step->time, step->time);
    builder->nodes.items[node].scope = fork->begin;
    builder->forks.items[step->index].end = node;
    otter_chain_append(builder, context, node); // otter_teams_build() adds the edge
    otter_chain_end_wait(builder, context, step->time);
}

// ---- fulfilments, operations

static void fulfil(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    uint32_t by = context->task == step->index ? OTTER_NONE : context->position;
    if (context->running == OTTER_RUNNING) {
        otter_chain_cut(builder, context, step->time);
        otter_chain_run(builder, context, step->time);
    }
    if (!OTTER_VECTOR_RESERVE(&builder->fulfilments)) {
        builder->has_failed = true;
        return;
    }
    builder->fulfilments.items[builder->fulfilments.n++] =
        (struct otter_fulfilment){.time = step->time,
                                  .task = step->index,
                                  .by = by,
                                  .undeferred = context->undeferred,
                                  .location = step->location,
                                  .is_by_nobody = context->position == OTTER_NONE};
}

// The innermost construct requests an operation of a device.
static void begin_operation(struct otter_builder *builder, struct otter_context *context,
                            const struct otter_step *step)
{
    struct otter_operation *operation = &builder->operations.items[step->index];
    if (builder->open.n <= context->first_open) {
        return;
    }
    struct otter_open_construct *innermost = &builder->open.items[builder->open.n - 1];
    if (innermost->class == OTTER_CLASS_TARGET) {
        // Operations of other threads refer to the target construct by this id.
        builder->targets.items[innermost->scope].has_operations = true;
        operation->target = innermost->scope;
        operation->scope = innermost->begin == OTTER_NONE ? OTTER_OF_TASK : innermost->begin;
        return;
    }
    bool was_running = context->running == OTTER_RUNNING;
    otter_chain_cut(builder, context, step->time);
    operation->from = context->position;
    if (was_running) { // a kernel launch, which has no node in the fragments view
        otter_chain_run(builder, context, step->time);
    }
    operation->is_async =
        strcmp(builder->definitions->regions[innermost->region].description, "nowait") == 0;
    operation->task = context->task;
    operation->scope = context->scope;
    if (innermost->class == OTTER_CLASS_OPERATION) {
        innermost->scope = step->index;
    }
    for (uint32_t i = builder->open.n; i > context->first_open; i--) {
        const struct otter_open_construct *open = &builder->open.items[i - 1];
        if (open->class == OTTER_CLASS_TARGET) {
            operation->target = open->scope;
            operation->scope = open->begin == OTTER_NONE ? OTTER_OF_TASK : open->begin;
            builder->targets.items[open->scope].has_operations = true;
            return;
        }
    }
}

// ---- steps

void otter_context_init(struct otter_context *context, uint32_t task, uint32_t position)
{
    *context = (struct otter_context){
        .task = task,
        .position = position,
        .phase_begin = position,
        .unjoined = OTTER_NONE,
        .undeferred = OTTER_NONE,
        .member = OTTER_NONE,
        .phase = OTTER_NONE,
        .scope = OTTER_OF_TASK,
        .group = OTTER_NONE,
        .running = OTTER_READY,
    };
}

void otter_step_do(struct otter_builder *builder, struct otter_context *context,
                   const struct otter_step *step)
{
    context->location = step->location;
    if (step->kind != OTTER_STEP_CREATE && step->kind != OTTER_STEP_LIST) {
        otter_chain_settle_wait(builder, context);
    }
    switch ((enum otter_step_kind)step->kind) {
    case OTTER_STEP_RUN:
    case OTTER_STEP_BACK:
        otter_chain_go_on(builder, context, step->time);
        otter_chain_run(builder, context, step->time);
        break;
    case OTTER_STEP_PAUSE:
    case OTTER_STEP_AWAY:
        otter_chain_interrupt(builder, context, step->time);
        otter_chain_pause(builder, context, step->time);
        break;
    case OTTER_STEP_CREATE: create(builder, context, step); break;
    case OTTER_STEP_UNDEFERRED: end_undeferred(builder, context, step); break;
    case OTTER_STEP_ENTER: otter_chain_enter(builder, context, step); break;
    case OTTER_STEP_LEAVE: otter_chain_leave(builder, context, step); break;
    case OTTER_STEP_LIST:
        context->wait_first = step->first_entry;
        context->wait_n = step->n_entries;
        break;
    case OTTER_STEP_FORK: do_fork(builder, context, step); break;
    case OTTER_STEP_JOIN: do_join(builder, context, step); break;
    case OTTER_STEP_SOURCE:
    case OTTER_STEP_SINK: otter_chain_pass_iteration(builder, context, step); break;
    case OTTER_STEP_FULFIL: fulfil(builder, context, step); break;
    case OTTER_STEP_OPERATION: begin_operation(builder, context, step); break;
    }
}

// The task's last action was to wait for an undeferred child. Then the child's end precedes each
// successor of the body.
static void keep_tail(struct otter_builder *builder, struct otter_context *context)
{
    if (context->undeferred == OTTER_NONE) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&builder->tails)) {
        builder->has_failed = true;
        return;
    }
    builder->tails.items[builder->tails.n++] =
        (struct otter_tail){.task = context->task, .child = context->undeferred};
}

void otter_context_finish(struct otter_builder *builder, struct otter_context *context,
                          uint64_t time)
{
    otter_chain_settle_wait(builder, context);
    otter_chain_leave_all(builder, context, time);
    otter_chain_settle_wait(builder, context);
    otter_chain_pause(builder, context, time);
    keep_tail(builder, context);
    otter_depend_clear(context);
}
