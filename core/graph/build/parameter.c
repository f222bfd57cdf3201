// Collects parameter records: of a creation, a construct or an iteration, and those that stand
// alone.
#include "graph/build/stack.h"

// Executes the pending creation, whose parameters end before `event`. The switch to an undeferred
// task has the same time as its creation.
static void flush_creation(struct otter_builder *builder, const struct otter_event *event)
{
    struct otter_create_pending pending = builder->pending;
    if (!pending.is_pending) {
        return;
    }
    builder->pending.is_pending = false;
    bool is_at_once =
        event && event->kind == OTTER_RECORD_TASK_SWITCH && event->time == pending.time &&
        event->task.number &&
        otter_build_find_task(builder, event->task.creator, event->task.number) == pending.task;
    otter_stack_step_of(builder, otter_stack_top(builder),
                        (struct otter_step){.kind = OTTER_STEP_CREATE,
                                            .time = pending.time,
                                            .index = pending.task,
                                            .first_entry = pending.first_entry,
                                            .n_entries = builder->entries.n - pending.first_entry,
                                            .is_at_once = is_at_once,
                                            .is_adopted = pending.is_adopted});
}

static void flush_list(struct otter_builder *builder)
{
    uint8_t kind = builder->list_kind;
    builder->list_kind = OTTER_STEP_RUN;
    if (kind != OTTER_STEP_RUN && builder->entries.n > builder->list_first) {
        otter_stack_step_of(
            builder, otter_stack_top(builder),
            (struct otter_step){.kind = kind,
                                .time = builder->list_time,
                                .first_entry = builder->list_first,
                                .n_entries = builder->entries.n - builder->list_first});
    }
}

void otter_build_flush(struct otter_builder *builder, const struct otter_event *event)
{
    flush_creation(builder, event);
    flush_list(builder);
}

void otter_build_begin_list(struct otter_builder *builder, enum otter_step_kind kind)
{
    builder->list_kind = (uint8_t)kind;
    builder->list_first = builder->entries.n;
    builder->list_time = builder->time;
}

static void add_entry(struct otter_builder *builder, uint32_t kind, uint64_t value)
{
    if (!OTTER_VECTOR_RESERVE(&builder->entries)) {
        builder->has_failed = true;
        return;
    }
    builder->entries.items[builder->entries.n++] =
        (struct otter_entry){.value = value, .kind = kind};
}

static uint32_t task_of_value(struct otter_builder *builder, uint64_t value)
{
    return otter_build_find_task(builder, (uint32_t)(value >> 32), (uint32_t)value);
}

static void on_depend(struct otter_builder *builder, uint32_t kind, uint64_t value)
{
    bool is_of_task = builder->pending.is_pending && builder->pending.time == builder->time;
    bool is_of_wait = builder->list_kind == OTTER_STEP_LIST && builder->list_time == builder->time;
    if (is_of_task || is_of_wait) {
        add_entry(builder, kind, value);
    }
}

// The first number of an iteration has a new time.
static void on_iteration(struct otter_builder *builder, enum otter_step_kind kind, uint64_t value)
{
    if (builder->list_kind != kind || builder->list_time != builder->time) {
        otter_build_flush(builder, NULL);
        otter_stack_need(builder);
        otter_build_begin_list(builder, kind);
    }
    add_entry(builder, 0, value);
}

static void on_fulfilled(struct otter_builder *builder, uint32_t task)
{
    otter_build_flush(builder, NULL);
    if (task != OTTER_NONE) {
        builder->tasks.items[task].flags |= OTTER_NODE_DETACHED;
        otter_build_end_elsewhere(builder, task);
    }
}

static void on_detached(struct otter_builder *builder, uint32_t task)
{
    if (task != OTTER_NONE) {
        builder->tasks.items[task].flags |= OTTER_NODE_DETACHED;
        otter_build_undeferred(builder, task);
    }
}

static void on_operation(struct otter_builder *builder, uint64_t id)
{
    if (!builder->has_devices || builder->contexts.n == 0) {
        return;
    }
    if (!OTTER_VECTOR_RESERVE(&builder->operations)) {
        builder->has_failed = true;
        return;
    }
    uint32_t operation = builder->operations.n++;
    builder->operation_time = builder->time;
    builder->operation_location = builder->location;
    builder->operations.items[operation] = (struct otter_operation){
        .id = id, .from = OTTER_NONE, .target = OTTER_NONE, .node = OTTER_NONE};
    otter_stack_step(builder, OTTER_STEP_OPERATION, operation);
}

static void on_target(struct otter_builder *builder, uint64_t id)
{
    if (builder->operations.n > 0 && builder->operation_location == builder->location &&
        builder->operation_time == builder->time) {
        builder->operations.items[builder->operations.n - 1].target_id = id;
    }
}

// A region that began in a pause: its fork or its member was recorded after the pause.
static void on_parallel(struct otter_builder *builder, uint64_t region)
{
    if (builder->before == OTTER_RECORD_FORK && builder->open_forks.n > 0) {
        struct otter_fork *fork =
            &builder->forks.items[builder->open_forks.items[builder->open_forks.n - 1]];
        fork->number = (uint32_t)region;
        fork->is_late = true;
        builder->n_forks--; // already counted at the end of the pause
    } else if (builder->before == OTTER_RECORD_MEASUREMENT) {
        builder->n_forks = (uint32_t)region;
    } else if (builder->before == OTTER_RECORD_TEAM_BEGIN && builder->contexts.n > 0 &&
               otter_stack_top(builder)->member != OTTER_NONE) {
        builder->members.items[otter_stack_top(builder)->member].region = region;
    }
}

// `value`: the index of the team on the stack, outermost first, and the number of barriers.
static void on_barriers_passed(struct otter_builder *builder, uint64_t value)
{
    uint64_t depth = value >> 32;
    for (uint32_t i = 0; i < builder->contexts.n; i++) {
        const struct otter_context *context = &builder->contexts.items[i];
        if (context->member != OTTER_NONE && depth-- == 0) {
            builder->members.items[context->member].n_barriers += (uint32_t)value;
            return;
        }
    }
}

void otter_build_parameter(struct otter_builder *builder, uint32_t definition, uint64_t value)
{
    if (definition >= builder->definitions->n_parameters) {
        return;
    }
    enum otter_parameter kind = builder->definitions->parameters[definition].kind;
    switch (kind) {
    case OTTER_PARAMETER_DEPEND_UNKNOWN:
    case OTTER_PARAMETER_DEPEND_IN:
    case OTTER_PARAMETER_DEPEND_OUT:
    case OTTER_PARAMETER_DEPEND_INOUT:
    case OTTER_PARAMETER_DEPEND_MUTEXINOUTSET:
    case OTTER_PARAMETER_DEPEND_INOUTSET:
    case OTTER_PARAMETER_DEPEND_OUT_ALL_MEMORY:
    case OTTER_PARAMETER_DEPEND_INOUT_ALL_MEMORY: on_depend(builder, kind, value); break;
    case OTTER_PARAMETER_DEPEND_SOURCE: on_iteration(builder, OTTER_STEP_SOURCE, value); break;
    case OTTER_PARAMETER_DEPEND_SINK: on_iteration(builder, OTTER_STEP_SINK, value); break;
    case OTTER_PARAMETER_ENCOUNTERING_TASK: builder->pending.is_adopted = true; break;
    case OTTER_PARAMETER_TASK_NEVER_RAN:
        builder->never_ran = true;
        builder->never_ran_region =
            value < builder->definitions->n_regions ? (uint32_t)value : OTTER_NONE;
        break;
    case OTTER_PARAMETER_TASK_CANCELLED: builder->is_cancelled = true; break;
    case OTTER_PARAMETER_TASK_DETACHED: on_detached(builder, task_of_value(builder, value)); break;
    case OTTER_PARAMETER_OPERATION: on_operation(builder, value); break;
    case OTTER_PARAMETER_TARGET: on_target(builder, value); break;
    case OTTER_PARAMETER_TASK_FULFILLED:
        on_fulfilled(builder, task_of_value(builder, value));
        break;
    case OTTER_PARAMETER_PARALLEL: on_parallel(builder, value); break;
    case OTTER_PARAMETER_BARRIERS_PASSED: on_barriers_passed(builder, value); break;
    default: break;
    }
}
