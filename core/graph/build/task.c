// Turns the events of explicit tasks into steps: creation, switch, end.
#include "graph/build/task.h"

static uint32_t task_of(struct otter_reading *reading, const struct otter_event *event)
{
    return otter_numbers_find(&reading->numbers, &reading->stack.parts->store, event->task.creator,
                              event->task.number);
}

void otter_read_create(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    uint32_t task = task_of(reading, event);
    if (task == OTTER_NONE || store->tasks.items[task].creator != OTTER_NONE) {
        return; // an invalid number, or a second creation
    }
    otter_stack_need(stack);
    struct otter_graph_task *created = &store->tasks.items[task];
    if (created->kind == OTTER_TASK_KIND_UNKNOWN) {
        created->kind = OTTER_TASK_KIND_EXPLICIT;
    }
    created->creator = otter_stack_top(stack)->task;
    struct otter_node *node = &store->nodes.items[created->first_node];
    if (!(created->flags & (OTTER_BUILD_STARTED | OTTER_BUILD_ENDED))) {
        node->start = node->end = event->time;
    }
    reading->pending = (struct otter_create_pending){.is_pending = true,
                                                     .time = event->time,
                                                     .task = task,
                                                     .first_entry = parts->dependences.entries.n};
}

// *Returns* the position of `task` on the stack above the current implicit or initial task, or
// OTTER_NONE.
static uint32_t find_on_stack(const struct otter_stack *stack, uint32_t task)
{
    if (!(stack->parts->store.tasks.items[task].flags & OTTER_BUILD_STARTED)) {
        return OTTER_NONE;
    }
    for (uint32_t i = stack->contexts.n; i > 0; i--) {
        const struct otter_context *context = &stack->contexts.items[i - 1];
        if (context->task == task) {
            return i - 1;
        }
        if (context->is_base) {
            break;
        }
    }
    return OTTER_NONE;
}

void otter_read_switch(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    otter_stack_need(stack);
    uint32_t task = OTTER_NONE;
    uint32_t place = otter_stack_top(stack)->base;
    if (event->task.number) {
        task = task_of(reading, event);
        if (task == OTTER_NONE) {
            return;
        }
        place = find_on_stack(stack, task);
    }
    if (place != OTTER_NONE) {
        while (stack->contexts.n > place + 1) {
            otter_stack_pop(stack);
        }
        otter_stack_step(stack, OTTER_STEP_RUN, 0);
        return;
    }
    otter_stack_step(stack, OTTER_STEP_PAUSE, 0);
    if (store->definitions->n_unrecorded > 0 && store->tasks.items[task].creator == OTTER_NONE &&
        !(store->tasks.items[task].flags & OTTER_BUILD_STARTED)) {
        otter_join_orphan(&parts->joins, store,
                          &stack->contexts.items[otter_stack_top(stack)->base], task);
    }
    bool is_serial = otter_stack_top(stack)->is_serial;
    uint32_t region = store->nodes.items[store->tasks.items[task].first_node].region;
    struct otter_context *context = otter_stack_push(stack, task);
    context->wants_region = true;
    reading->switch_time = stack->time;
    context->is_serial = is_serial;
    context->is_untied = region != OTTER_NONE && (parts->regions.flags[region] & OTTER_TASK_UNTIED);
}

void otter_read_enter_task(struct otter_stack *stack, uint32_t region)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    struct otter_context *context = otter_stack_top(stack);
    if (!context->wants_region) {
        // LLVM's runtime may push an untied task on top of itself (quirk 'untied switch').
        context->n_nested++;
        return;
    }
    context->wants_region = false;
    struct otter_graph_task *task = &store->tasks.items[context->task];
    uint8_t flags = parts->regions.flags[region];
    store->nodes.items[task->first_node].region = region;
    if (flags & OTTER_TASK_TARGET) {
        task->kind = OTTER_TASK_KIND_TARGET;
    }
    context->is_undeferred = flags & OTTER_TASK_UNDEFERRED;
    context->is_untied = flags & OTTER_TASK_UNTIED;
    otter_stack_step(stack, OTTER_STEP_BACK, 0);
}

// *Returns* whether the stack contains an explicit task.
static bool has_task(const struct otter_stack *stack)
{
    for (uint32_t i = stack->contexts.n; i > 0; i--) {
        if (!stack->contexts.items[i - 1].is_base) {
            return true;
        }
    }
    return false;
}

void otter_read_leave_task(struct otter_reading *reading)
{
    struct otter_stack *stack = &reading->stack;
    if (!has_task(stack)) {
        stack->parts->store.findings.n_unmatched_leaves++;
        return;
    }
    while (otter_stack_top(stack)->is_base) {
        otter_stack_pop(stack); // the team has no end
    }
    if (otter_stack_top(stack)->n_nested > 0) {
        otter_stack_top(stack)->n_nested--;
        return;
    }
    reading->end.left_task = otter_stack_top(stack)->task;
    reading->end.left_time = stack->time;
    reading->end.left_is_undeferred = otter_stack_top(stack)->is_undeferred;
    otter_stack_pop(stack);
}

void otter_read_undeferred(struct otter_reading *reading, uint32_t task)
{
    struct otter_stack *stack = &reading->stack;
    if (reading->end.left_task == task && reading->end.left_time == stack->time &&
        reading->end.left_is_undeferred && stack->contexts.n > 0 &&
        stack->parts->store.tasks.items[task].creator == otter_stack_top(stack)->task) {
        otter_stack_step(stack, OTTER_STEP_UNDEFERRED, task);
    }
}

void otter_read_end_elsewhere(struct otter_stack *stack, uint32_t task)
{
    struct otter_parts *parts = stack->parts;
    if (stack->contexts.n > 0) {
        otter_stack_step(stack, OTTER_STEP_FULFIL, task);
        return;
    }
    struct otter_context nobody;
    otter_context_init(&nobody, task, OTTER_NONE);
    otter_step_do(parts, &nobody,
                  &(struct otter_step){.kind = OTTER_STEP_FULFIL,
                                       .time = stack->time,
                                       .index = task,
                                       .location = (uint16_t)stack->location});
}

// `is_elsewhere`: the location that reports the end did not execute the task; end.c decides whether
// the body ended or the event was fulfilled.
static void end_task(struct otter_reading *reading, uint32_t task, bool is_elsewhere)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_store *store = &stack->parts->store;
    struct otter_graph_task *ended = &store->tasks.items[task];
    if (reading->end.never_ran && !(ended->flags & OTTER_BUILD_STARTED)) {
        struct otter_node *node = &store->nodes.items[ended->first_node];
        node->start = node->end = stack->time;
        node->region = reading->end.never_ran_region;
        ended->flags |= OTTER_NODE_NEVER_RAN;
    } else if (!is_elsewhere) {
        otter_stack_end_node(stack, task, stack->time);
    }
    ended->flags |= OTTER_BUILD_ENDED | (reading->end.is_cancelled ? OTTER_NODE_CANCELLED : 0);
}

void otter_read_complete(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    uint32_t task = task_of(reading, event);
    if (task == OTTER_NONE) {
        return;
    }
    uint32_t place = stack->contexts.n > 0 ? find_on_stack(stack, task) : OTTER_NONE;
    bool has_left = reading->end.left_task == task && reading->end.left_time == event->time;
    bool is_elsewhere = place == OTTER_NONE && !has_left && !reading->end.never_ran;
    if (is_elsewhere) {
        otter_read_end_elsewhere(stack, task);
    }
    if (has_left) {
        otter_read_undeferred(reading, task);
    }
    while (place != OTTER_NONE && stack->contexts.n > place) {
        otter_stack_pop(stack);
    }
    end_task(reading, task, is_elsewhere);
    reading->end.never_ran = reading->end.is_cancelled = false;
}

void otter_read_flush_switch(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_context *context = stack->contexts.n > 0 ? otter_stack_top(stack) : NULL;
    if (!context || !context->wants_region || context->is_base ||
        (event->kind == OTTER_RECORD_ENTER && event->region < parts->store.definitions->n_regions &&
         parts->regions.class[event->region] == OTTER_CLASS_TASK)) {
        return;
    }
    context->wants_region = false;
    otter_stack_step_of(stack, context,
                        (struct otter_step){.kind = OTTER_STEP_BACK, .time = reading->switch_time});
}
