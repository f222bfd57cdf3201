// Collects parameter records: of a creation, a construct or an iteration, and parameters that
// belong to no other record.
#include "graph/build/parameter.h"
#include "graph/build/task.h"

// Executes the pending creation, whose parameters end before `event`. The switch to an undeferred
// task has the same time as its creation.
static void flush_creation(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_create_pending pending = reading->pending;
    if (!pending.is_pending) {
        return;
    }
    reading->pending.is_pending = false;
    bool is_at_once = event && event->kind == OTTER_RECORD_TASK_SWITCH &&
                      event->time == pending.time && event->task.number &&
                      otter_numbers_find(&reading->numbers, &parts->store, event->task.creator,
                                         event->task.number) == pending.task;
    otter_stack_step_of(
        stack, otter_stack_top(stack),
        (struct otter_step){.kind = OTTER_STEP_CREATE,
                            .time = pending.time,
                            .index = pending.task,
                            .first_entry = pending.first_entry,
                            .n_entries = parts->dependences.entries.n - pending.first_entry,
                            .is_at_once = is_at_once,
                            .is_adopted = pending.is_adopted});
}

static void flush_list(struct otter_reading *reading)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    uint8_t kind = reading->list.kind;
    reading->list.kind = OTTER_STEP_RUN;
    if (kind != OTTER_STEP_RUN && parts->dependences.entries.n > reading->list.first) {
        otter_stack_step_of(
            stack, otter_stack_top(stack),
            (struct otter_step){.kind = kind,
                                .time = reading->list.time,
                                .first_entry = reading->list.first,
                                .n_entries = parts->dependences.entries.n - reading->list.first});
    }
}

void otter_read_flush(struct otter_reading *reading, const struct otter_event *event)
{
    flush_creation(reading, event);
    flush_list(reading);
}

void otter_read_begin_list(struct otter_reading *reading, enum otter_step_kind kind)
{
    struct otter_stack *stack = &reading->stack;
    reading->list.kind = (uint8_t)kind;
    reading->list.first = stack->parts->dependences.entries.n;
    reading->list.time = stack->time;
}

static uint32_t task_of_value(struct otter_reading *reading, uint64_t value)
{
    return otter_numbers_find(&reading->numbers, &reading->stack.parts->store,
                              (uint32_t)(value >> 32), (uint32_t)value);
}

static void on_depend(struct otter_reading *reading, uint32_t kind, uint64_t value)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    bool is_of_task = reading->pending.is_pending && reading->pending.time == stack->time;
    bool is_of_wait = reading->list.kind == OTTER_STEP_LIST && reading->list.time == stack->time;
    if (is_of_task || is_of_wait) {
        OTTER_APPEND(&parts->store, &parts->dependences.entries, (struct otter_entry){value, kind});
    }
}

// All numbers of an iteration have the same time; a new time begins a new iteration.
static void on_iteration(struct otter_reading *reading, enum otter_step_kind kind, uint64_t value)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    if (reading->list.kind != kind || reading->list.time != stack->time) {
        otter_read_flush(reading, NULL);
        otter_stack_need(stack);
        otter_read_begin_list(reading, kind);
    }
    OTTER_APPEND(&parts->store, &parts->dependences.entries, (struct otter_entry){value, 0});
}

static void on_fulfilled(struct otter_reading *reading, uint32_t task)
{
    struct otter_stack *stack = &reading->stack;
    otter_read_flush(reading, NULL);
    if (task != OTTER_NONE) {
        stack->parts->store.tasks.items[task].flags |= OTTER_NODE_DETACHED;
        otter_read_end_elsewhere(stack, task);
    }
}

static void on_detached(struct otter_reading *reading, uint32_t task)
{
    if (task != OTTER_NONE) {
        reading->stack.parts->store.tasks.items[task].flags |= OTTER_NODE_DETACHED;
        otter_read_undeferred(reading, task);
    }
}

static void on_operation(struct otter_stack *stack, uint64_t id)
{
    struct otter_parts *parts = stack->parts;
    if (stack->contexts.n == 0) {
        return;
    }
    uint32_t operation = otter_operations_request(&parts->operations, &parts->store, id,
                                                  stack->location, stack->time);
    if (operation != OTTER_NONE) {
        otter_stack_step(stack, OTTER_STEP_OPERATION, operation);
    }
}

// Handles a region that began during a pause: its fork or its member was recorded after the pause.
static void on_parallel(struct otter_reading *reading, uint64_t region)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    if (reading->before == OTTER_RECORD_FORK && stack->open_forks.n > 0) {
        struct otter_fork *fork =
            &parts->teams.forks.items[stack->open_forks.items[stack->open_forks.n - 1]];
        fork->number = (uint32_t)region;
        fork->is_late = true;
        stack->n_forks--; // already counted at the end of the pause
    } else if (reading->before == OTTER_RECORD_MEASUREMENT) {
        stack->n_forks = (uint32_t)region;
    } else if (reading->before == OTTER_RECORD_TEAM_BEGIN && stack->contexts.n > 0 &&
               otter_stack_top(stack)->member != OTTER_NONE) {
        parts->teams.members.items[otter_stack_top(stack)->member].region = region;
    }
}

// `value` contains the index of the team on the stack, outermost first, and the number of barriers.
static void on_barriers_passed(struct otter_stack *stack, uint64_t value)
{
    uint64_t depth = value >> 32;
    for (uint32_t i = 0; i < stack->contexts.n; i++) {
        const struct otter_context *context = &stack->contexts.items[i];
        if (context->member != OTTER_NONE && depth-- == 0) {
            stack->parts->teams.members.items[context->member].n_barriers += (uint32_t)value;
            return;
        }
    }
}

void otter_read_parameter(struct otter_reading *reading, uint32_t definition, uint64_t value)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (definition >= store->definitions->n_parameters) {
        return;
    }
    enum otter_parameter kind = store->definitions->parameters[definition].kind;
    switch (kind) {
    case OTTER_PARAMETER_DEPEND_UNKNOWN:
    case OTTER_PARAMETER_DEPEND_IN:
    case OTTER_PARAMETER_DEPEND_OUT:
    case OTTER_PARAMETER_DEPEND_INOUT:
    case OTTER_PARAMETER_DEPEND_MUTEXINOUTSET:
    case OTTER_PARAMETER_DEPEND_INOUTSET:
    case OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY:
    case OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY: on_depend(reading, kind, value); break;
    case OTTER_PARAMETER_DEPEND_SOURCE: on_iteration(reading, OTTER_STEP_SOURCE, value); break;
    case OTTER_PARAMETER_DEPEND_SINK: on_iteration(reading, OTTER_STEP_SINK, value); break;
    case OTTER_PARAMETER_ENCOUNTERING_TASK: reading->pending.is_adopted = true; break;
    case OTTER_PARAMETER_TASK_NEVER_RAN:
        reading->end.never_ran = true;
        reading->end.never_ran_region =
            value < store->definitions->n_regions ? (uint32_t)value : OTTER_NONE;
        break;
    case OTTER_PARAMETER_TASK_CANCELLED: reading->end.is_cancelled = true; break;
    case OTTER_PARAMETER_TASK_DETACHED: on_detached(reading, task_of_value(reading, value)); break;
    case OTTER_PARAMETER_OPERATION: on_operation(stack, value); break;
    case OTTER_PARAMETER_TARGET:
        otter_operations_set_target(&parts->operations, value, stack->location, stack->time);
        break;
    case OTTER_PARAMETER_TASK_FULFILLED:
        on_fulfilled(reading, task_of_value(reading, value));
        break;
    case OTTER_PARAMETER_PARALLEL: on_parallel(reading, value); break;
    case OTTER_PARAMETER_BARRIERS_PASSED: on_barriers_passed(stack, value); break;
    default: break;
    }
}
