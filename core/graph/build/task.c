// Turns the events of explicit tasks into steps: creation, switch, end.
#include "graph/build/stack.h"

void otter_build_create(struct otter_builder *builder, const struct otter_event *event)
{
    uint32_t task = otter_build_find_task(builder, event->task.creator, event->task.number);
    if (task == OTTER_NONE || builder->tasks.items[task].creator != OTTER_NONE) {
        return; // an invalid number, or a second creation
    }
    otter_stack_need(builder);
    struct otter_graph_task *created = &builder->tasks.items[task];
    if (created->kind == OTTER_TASK_KIND_UNKNOWN) {
        created->kind = OTTER_TASK_KIND_EXPLICIT;
    }
    created->creator = otter_stack_top(builder)->task;
    struct otter_node *node = &builder->nodes.items[created->first_node];
    if (!(created->flags & (OTTER_BUILD_STARTED | OTTER_BUILD_ENDED))) {
        node->start = node->end = event->time;
    }
    builder->pending = (struct otter_create_pending){
        .is_pending = true, .time = event->time, .task = task, .first_entry = builder->entries.n};
}

// *Returns* the place of `task` on the stack above the current implicit or initial task, or
// OTTER_NONE.
static uint32_t find_on_stack(const struct otter_builder *builder, uint32_t task)
{
    if (!(builder->tasks.items[task].flags & OTTER_BUILD_STARTED)) {
        return OTTER_NONE;
    }
    for (uint32_t i = builder->contexts.n; i > 0; i--) {
        const struct otter_context *context = &builder->contexts.items[i - 1];
        if (context->task == task) {
            return i - 1;
        }
        if (context->is_base) {
            break;
        }
    }
    return OTTER_NONE;
}

void otter_build_switch(struct otter_builder *builder, const struct otter_event *event)
{
    otter_stack_need(builder);
    uint32_t task = OTTER_NONE;
    uint32_t place = otter_stack_top(builder)->base;
    if (event->task.number) {
        task = otter_build_find_task(builder, event->task.creator, event->task.number);
        if (task == OTTER_NONE) {
            return;
        }
        place = find_on_stack(builder, task);
    }
    if (place != OTTER_NONE) {
        while (builder->contexts.n > place + 1) {
            otter_stack_pop(builder);
        }
        otter_stack_step(builder, OTTER_STEP_RUN, 0);
        return;
    }
    otter_stack_step(builder, OTTER_STEP_PAUSE, 0);
    if (builder->definitions->n_unrecorded > 0 &&
        builder->tasks.items[task].creator == OTTER_NONE &&
        !(builder->tasks.items[task].flags & OTTER_BUILD_STARTED)) {
        otter_build_orphan(builder, &builder->contexts.items[otter_stack_top(builder)->base], task);
    }
    bool is_serial = otter_stack_top(builder)->is_serial;
    uint32_t region = builder->nodes.items[builder->tasks.items[task].first_node].region;
    struct otter_context *context = otter_stack_push(builder, task);
    context->wants_region = true;
    builder->switch_time = builder->time;
    context->is_serial = is_serial;
    context->is_untied =
        region != OTTER_NONE && (builder->region_flags[region] & OTTER_TASK_UNTIED);
}

void otter_build_enter_task(struct otter_builder *builder, uint32_t region)
{
    struct otter_context *context = otter_stack_top(builder);
    if (!context->wants_region) {
        context->n_nested++; // LLVM's runtime may push an untied task on top of itself
        return;
    }
    context->wants_region = false;
    struct otter_graph_task *task = &builder->tasks.items[context->task];
    uint8_t flags = builder->region_flags[region];
    builder->nodes.items[task->first_node].region = region;
    if (flags & OTTER_TASK_TARGET) {
        task->kind = OTTER_TASK_KIND_TARGET;
    }
    context->is_undeferred = flags & OTTER_TASK_UNDEFERRED;
    context->is_untied = flags & OTTER_TASK_UNTIED;
    otter_stack_step(builder, OTTER_STEP_BACK, 0);
}

// *Returns* whether the stack contains an explicit task.
static bool has_task(const struct otter_builder *builder)
{
    for (uint32_t i = builder->contexts.n; i > 0; i--) {
        if (!builder->contexts.items[i - 1].is_base) {
            return true;
        }
    }
    return false;
}

void otter_build_leave_task(struct otter_builder *builder)
{
    if (!has_task(builder)) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    while (otter_stack_top(builder)->is_base) {
        otter_stack_pop(builder); // a team without an end
    }
    if (otter_stack_top(builder)->n_nested > 0) {
        otter_stack_top(builder)->n_nested--;
        return;
    }
    builder->left_task = otter_stack_top(builder)->task;
    builder->left_time = builder->time;
    builder->left_is_undeferred = otter_stack_top(builder)->is_undeferred;
    otter_stack_pop(builder);
}

void otter_build_undeferred(struct otter_builder *builder, uint32_t task)
{
    if (builder->left_task == task && builder->left_time == builder->time &&
        builder->left_is_undeferred && builder->contexts.n > 0 &&
        builder->tasks.items[task].creator == otter_stack_top(builder)->task) {
        otter_stack_step(builder, OTTER_STEP_UNDEFERRED, task);
    }
}

void otter_build_end_elsewhere(struct otter_builder *builder, uint32_t task)
{
    if (builder->contexts.n > 0) {
        otter_stack_step(builder, OTTER_STEP_FULFIL, task);
        return;
    }
    struct otter_context nobody;
    otter_context_init(&nobody, task, OTTER_NONE);
    otter_step_do(builder, &nobody,
                  &(struct otter_step){.kind = OTTER_STEP_FULFIL,
                                       .time = builder->time,
                                       .index = task,
                                       .location = (uint16_t)builder->location});
}

// `is_elsewhere`: end.c decides whether the body ended or the event was fulfilled.
static void end_task(struct otter_builder *builder, uint32_t task, bool is_elsewhere)
{
    struct otter_graph_task *ended = &builder->tasks.items[task];
    if (builder->never_ran && !(ended->flags & OTTER_BUILD_STARTED)) {
        struct otter_node *node = &builder->nodes.items[ended->first_node];
        node->start = node->end = builder->time;
        node->region = builder->never_ran_region;
        ended->flags |= OTTER_NODE_NEVER_RAN;
    } else if (!is_elsewhere) {
        otter_stack_end_node(builder, task, builder->time);
    }
    ended->flags |= OTTER_BUILD_ENDED | (builder->is_cancelled ? OTTER_NODE_CANCELLED : 0);
}

void otter_build_complete(struct otter_builder *builder, const struct otter_event *event)
{
    uint32_t task = otter_build_find_task(builder, event->task.creator, event->task.number);
    if (task == OTTER_NONE) {
        return;
    }
    uint32_t place = builder->contexts.n > 0 ? find_on_stack(builder, task) : OTTER_NONE;
    bool has_left = builder->left_task == task && builder->left_time == event->time;
    bool is_elsewhere = place == OTTER_NONE && !has_left && !builder->never_ran;
    if (is_elsewhere) {
        otter_build_end_elsewhere(builder, task);
    }
    if (has_left) {
        otter_build_undeferred(builder, task);
    }
    while (place != OTTER_NONE && builder->contexts.n > place) {
        otter_stack_pop(builder);
    }
    end_task(builder, task, is_elsewhere);
    builder->never_ran = builder->is_cancelled = false;
}

void otter_build_settle_switch(struct otter_builder *builder, const struct otter_event *event)
{
    struct otter_context *context = builder->contexts.n > 0 ? otter_stack_top(builder) : NULL;
    if (!context || !context->wants_region || context->is_base ||
        (event->kind == OTTER_RECORD_ENTER && event->region < builder->definitions->n_regions &&
         builder->region_class[event->region] == OTTER_CLASS_TASK)) {
        return;
    }
    context->wants_region = false;
    otter_stack_step_of(builder, context,
                        (struct otter_step){.kind = OTTER_STEP_BACK, .time = builder->switch_time});
}
