// The events of one location -> steps of the task that is current there. One function for each kind of event.
//
// Tied tasks lie on a stack: those below wait until those above have ended. The steps of untied tasks, which may go on elsewhere, are
// kept for build_replay.c.
#include "graph/build_internal.h"

// ---- the stack of tasks

static struct otter_context *top(struct otter_builder *builder)
{
    return &builder->contexts.items[builder->contexts.n - 1];
}

// `task` is executed from now on. Untied ones may have begun earlier, on another location.
static void note_start(struct otter_builder *builder, uint32_t task)
{
    struct otter_graph_task *started = &builder->tasks.items[task];
    struct otter_node *node = &builder->nodes.items[started->first_node];
    if ((started->flags & OTTER_BUILD_STARTED) && node->start <= builder->time) {
        return;
    }
    bool has_end = started->flags & (OTTER_BUILD_STARTED | OTTER_BUILD_ENDED);
    node->end = has_end && node->end > builder->time ? node->end : builder->time;
    node->start = builder->time;
    node->location = (uint16_t)builder->location;
    started->flags |= OTTER_BUILD_STARTED;
}

static struct otter_context *push(struct otter_builder *builder, uint32_t task)
{
    if (!OTTER_VECTOR_RESERVE(&builder->contexts)) {
        builder->has_failed = true;
        return &builder->contexts.items[builder->contexts.n > 0 ? builder->contexts.n - 1 : 0];
    }
    struct otter_context *context = &builder->contexts.items[builder->contexts.n++];
    otter_context_init(context, task, builder->tasks.items[task].last_node);
    context->first_open = builder->open.n;
    context->location = (uint16_t)builder->location;
    context->base = builder->contexts.n > 1 ? context[-1].base : 0;
    note_start(builder, task);
    return context;
}

static void keep(struct otter_builder *builder, const struct otter_step *step)
{
    if (!OTTER_VECTOR_RESERVE(&builder->log)) {
        builder->has_failed = true;
        return;
    }
    builder->log.items[builder->log.n] = *step;
    builder->log.items[builder->log.n].order = builder->log.n;
    builder->log.n++;
}

// A step of `context` at the time of the current event.
static void step_of(struct otter_builder *builder, struct otter_context *context,
                    struct otter_step step)
{
    step.time = step.time ? step.time : builder->time;
    step.location = (uint16_t)builder->location;
    step.task = context->task;
    step.is_serial = context->is_serial;
    if (context->is_untied) {
        keep(builder, &step);
    } else {
        otter_step_do(builder, context, &step);
    }
}

static void step(struct otter_builder *builder, enum otter_step_kind kind, uint32_t index)
{
    step_of(builder, top(builder), (struct otter_step){.kind = (uint8_t)kind, .index = index});
}

// What lies below an initial or implicit task does nothing meanwhile.
static void pause_below(struct otter_builder *builder)
{
    if (builder->contexts.n > 0) {
        step(builder, OTTER_STEP_PAUSE, 0);
    }
}

static void resume_below(struct otter_builder *builder)
{
    if (builder->contexts.n > 0) {
        step(builder, OTTER_STEP_RUN, 0);
    }
}

// An initial task, also that of a thread which has come to OpenMP late or never.
static void begin_initial(struct otter_builder *builder, uint32_t region)
{
    pause_below(builder);
    uint32_t task = otter_build_task(builder, OTTER_TASK_KIND_INITIAL, builder->location, 0);
    struct otter_context *context = push(builder, task);
    context->is_base = true;
    context->base = builder->contexts.n - 1;
    context->is_serial = true;
    context->has_end = region != OTTER_NONE;
    builder->nodes.items[builder->tasks.items[task].first_node].region = region;
    step(builder, OTTER_STEP_RUN, 0);
}

static void need_context(struct otter_builder *builder)
{
    if (builder->contexts.n == 0) {
        begin_initial(builder, OTTER_NONE);
    }
}

static void end_node(struct otter_builder *builder, uint32_t task, uint64_t time)
{
    const struct otter_graph_task *ended = &builder->tasks.items[task];
    if (otter_is_structure(builder)) {
        struct otter_node *node = &builder->nodes.items[ended->first_node];
        node->end = time > node->end ? time : node->end;
    }
}

// What comes behind the barrier at the end of a region is the runtime's. Only an empty end of the chain can be taken back.
static void drop_fragment(struct otter_builder *builder, uint32_t barrier, uint32_t task)
{
    uint32_t fragment = barrier + 1;
    uint32_t n = builder->edge_kind.n;
    bool is_end = builder->nodes.n == fragment + 1 && builder->nodes.items[fragment].flags == 0 &&
                  n > 0 && builder->edge_from.items[n - 1] == barrier &&
                  builder->edge_to.items[n - 1] == fragment &&
                  builder->edge_kind.items[n - 1] == OTTER_EDGE_ORDER;
    if (is_end) {
        builder->nodes.n--;
        builder->edge_from.n--;
        builder->edge_to.n--;
        builder->edge_kind.n--;
        builder->tasks.items[task].last_node = barrier;
    }
}

// Older runtimes do not tell the barrier at the end of a region from others.
static bool may_end_region(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_BARRIER || construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT ||
           construct == OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// Whether a member's chain ends with its last barrier: then nothing follows, or a fragment that leads nowhere.
static bool ends_with_barrier(const struct otter_builder *builder,
                              const struct otter_context *context, uint32_t barrier)
{
    uint32_t last = context->position;
    bool is_behind = last == barrier + 1 && !otter_is_structure(builder) &&
                     builder->nodes.items[last].kind == OTTER_NODE_FRAGMENT;
    return (last == barrier || is_behind) && !(builder->nodes.items[last].flags) &&
           !(builder->nodes.items[barrier].flags);
}

static void end_member(struct otter_builder *builder, const struct otter_context *context)
{
    struct otter_member *member = &builder->members.items[context->member];
    member->end_time = builder->time;
    if (member->last_barrier == OTTER_NONE || context->is_serial || builder->closing_flags) {
        return;
    }
    struct otter_barrier *barrier = &builder->barriers.items[member->last_barrier];
    uint32_t region = builder->nodes.items[barrier->node].region;
    bool is_last = ends_with_barrier(builder, context, barrier->node);
    barrier->may_be_join =
        is_last && may_end_region(builder->definitions->regions[region].construct);
    if (is_last && (barrier->is_join || barrier->may_be_join) &&
        context->position != barrier->node) {
        drop_fragment(builder, barrier->node, member->task);
    }
}

static void on_join(struct otter_builder *builder);

// Regions that the task on top forked and that were not joined.
static void join_open_forks(struct otter_builder *builder)
{
    while (builder->open_forks.n > 0 &&
           builder->forks.items[builder->open_forks.items[builder->open_forks.n - 1]].depth >=
               builder->contexts.n) {
        uint8_t flags = builder->closing_flags;
        builder->closing_flags = OTTER_NODE_UNFINISHED;
        on_join(builder);
        builder->closing_flags = flags;
    }
}

// The task on top is executed no more on this location.
static void pop(struct otter_builder *builder)
{
    join_open_forks(builder);
    struct otter_context *context = top(builder);
    if (context->is_untied) {
        step(builder, OTTER_STEP_AWAY, 0);
    } else {
        otter_context_finish(builder, context, builder->time);
    }
    otter_depend_clear(context);
    end_node(builder, context->task, builder->time);
    if (context->is_base && context->has_end) {
        builder->tasks.items[context->task].flags |= builder->closing_flags;
    }
    if (context->member != OTTER_NONE) {
        end_member(builder, context);
    }
    builder->contexts.n--;
}

// ---- what comes in several records

// The creation that was read is complete: `event` is none of its parameters. An undeferred task is switched to in the same call.
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
    step_of(builder, top(builder),
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
        step_of(builder, top(builder),
                (struct otter_step){.kind = kind,
                                    .time = builder->list_time,
                                    .first_entry = builder->list_first,
                                    .n_entries = builder->entries.n - builder->list_first});
    }
}

static void flush(struct otter_builder *builder, const struct otter_event *event)
{
    flush_creation(builder, event);
    flush_list(builder);
}

static void begin_list(struct otter_builder *builder, enum otter_step_kind kind)
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

// ---- tasks

static void on_create(struct otter_builder *builder, const struct otter_event *event)
{
    uint32_t task = otter_build_find_task(builder, event->task.creator, event->task.number);
    if (task == OTTER_NONE || builder->tasks.items[task].creator != OTTER_NONE) {
        return; // a number without sense, or created twice
    }
    need_context(builder);
    struct otter_graph_task *created = &builder->tasks.items[task];
    if (created->kind == OTTER_TASK_KIND_UNKNOWN) {
        created->kind = OTTER_TASK_KIND_EXPLICIT;
    }
    created->creator = top(builder)->task;
    struct otter_node *node = &builder->nodes.items[created->first_node];
    if (!(created->flags & (OTTER_BUILD_STARTED | OTTER_BUILD_ENDED))) {
        node->start = node->end = event->time;
    }
    builder->pending = (struct otter_create_pending){
        .is_pending = true, .time = event->time, .task = task, .first_entry = builder->entries.n};
}

// The place of `task` on the stack down to the current team, or OTTER_NONE.
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

static void on_switch(struct otter_builder *builder, const struct otter_event *event)
{
    need_context(builder);
    uint32_t task = OTTER_NONE;
    uint32_t place = top(builder)->base;
    if (event->task.number) {
        task = otter_build_find_task(builder, event->task.creator, event->task.number);
        if (task == OTTER_NONE) {
            return;
        }
        place = find_on_stack(builder, task);
    }
    if (place != OTTER_NONE) {
        while (builder->contexts.n > place + 1) {
            pop(builder);
        }
        step(builder, OTTER_STEP_RUN, 0);
        return;
    }
    step(builder, OTTER_STEP_PAUSE, 0);
    bool is_serial = top(builder)->is_serial;
    uint32_t region = builder->nodes.items[builder->tasks.items[task].first_node].region;
    struct otter_context *context = push(builder, task);
    context->wants_region = true;
    builder->switch_time = builder->time;
    context->is_serial = is_serial;
    context->is_untied =
        region != OTTER_NONE && (builder->region_flags[region] & OTTER_TASK_UNTIED);
}

// The region of a task that begins here, or comes back.
static void enter_task(struct otter_builder *builder, uint32_t region)
{
    struct otter_context *context = top(builder);
    if (!context->wants_region) {
        context->n_nested++; // LLVM's runtime may put an untied task on top of itself
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
    step(builder, OTTER_STEP_BACK, 0);
}

// Whether a task that is no team's lies on the stack.
static bool has_task(const struct otter_builder *builder)
{
    for (uint32_t i = builder->contexts.n; i > 0; i--) {
        if (!builder->contexts.items[i - 1].is_base) {
            return true;
        }
    }
    return false;
}

static void leave_task(struct otter_builder *builder)
{
    if (!has_task(builder)) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    while (top(builder)->is_base) {
        pop(builder); // a team that was never ended
    }
    if (top(builder)->n_nested > 0) {
        top(builder)->n_nested--;
        return;
    }
    builder->left_task = top(builder)->task;
    builder->left_time = builder->time;
    builder->left_is_undeferred = top(builder)->is_undeferred;
    pop(builder);
}

// A task that ends where it is not executed: its event was fulfilled here, if it has one.
static void end_elsewhere(struct otter_builder *builder, uint32_t task)
{
    if (builder->contexts.n > 0) {
        step(builder, OTTER_STEP_FULFIL, task);
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

static void end_task(struct otter_builder *builder, uint32_t task)
{
    struct otter_graph_task *ended = &builder->tasks.items[task];
    if (builder->never_ran) {
        struct otter_node *node = &builder->nodes.items[ended->first_node];
        node->start = node->end = builder->time;
        node->region = builder->never_ran_region;
        ended->flags |= OTTER_NODE_NEVER_RAN;
    } else {
        end_node(builder, task, builder->time);
    }
    ended->flags |= OTTER_BUILD_ENDED | (builder->is_cancelled ? OTTER_NODE_CANCELLED : 0);
}

static void on_complete(struct otter_builder *builder, const struct otter_event *event)
{
    uint32_t task = otter_build_find_task(builder, event->task.creator, event->task.number);
    if (task == OTTER_NONE) {
        return;
    }
    uint32_t place = builder->contexts.n > 0 ? find_on_stack(builder, task) : OTTER_NONE;
    bool has_left = builder->left_task == task && builder->left_time == event->time;
    if (place == OTTER_NONE && !has_left && !builder->never_ran) {
        end_elsewhere(builder, task);
    }
    if (has_left && builder->left_is_undeferred && builder->contexts.n > 0 &&
        builder->tasks.items[task].creator == top(builder)->task) {
        step(builder, OTTER_STEP_RETURN, task);
    }
    while (place != OTTER_NONE && builder->contexts.n > place) {
        pop(builder);
    }
    end_task(builder, task);
    builder->never_ran = builder->is_cancelled = false;
}

// ---- teams

static void on_fork(struct otter_builder *builder)
{
    need_context(builder);
    if (!OTTER_VECTOR_RESERVE(&builder->forks) || !OTTER_VECTOR_RESERVE(&builder->open_forks)) {
        builder->has_failed = true;
        return;
    }
    uint32_t n = builder->open_forks.n;
    uint32_t fork = builder->forks.n++;
    builder->forks.items[fork] =
        (struct otter_fork){.time = builder->time,
                            .end_time = UINT64_MAX,
                            .location = builder->location,
                            .enclosing = n > 0 ? builder->open_forks.items[n - 1] : OTTER_NONE,
                            .task = top(builder)->task,
                            .depth = builder->contexts.n,
                            .begin = OTTER_NONE,
                            .end = OTTER_NONE};
    builder->open_forks.items[builder->open_forks.n++] = fork;
    step(builder, OTTER_STEP_FORK, fork);
}

static void on_join(struct otter_builder *builder)
{
    if (builder->open_forks.n == 0) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    uint32_t fork = builder->open_forks.items[--builder->open_forks.n];
    uint8_t flags = builder->closing_flags;
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->contexts.n > builder->forks.items[fork].depth) {
        pop(builder);
    }
    builder->closing_flags = flags;
    builder->forks.items[fork].end_time = builder->time;
    if (builder->contexts.n == builder->forks.items[fork].depth) {
        step(builder, OTTER_STEP_JOIN, fork);
    }
}

// The fork whose own thread begins its part here, or OTTER_NONE: a thread of someone else's team.
static uint32_t find_own_fork(struct otter_builder *builder, uint32_t comm)
{
    uint32_t n = builder->open_forks.n;
    uint32_t fork = n > 0 ? builder->open_forks.items[n - 1] : OTTER_NONE;
    if (fork == OTTER_NONE || builder->forks.items[fork].has_comm ||
        builder->forks.items[fork].depth != builder->contexts.n) {
        return OTTER_NONE;
    }
    builder->forks.items[fork].has_comm = true;
    builder->forks.items[fork].comm = comm;
    return fork;
}

static void on_team_begin(struct otter_builder *builder, uint32_t comm)
{
    if (!OTTER_VECTOR_RESERVE(&builder->members)) {
        builder->has_failed = true;
        return;
    }
    uint32_t task = otter_build_task(builder, OTTER_TASK_KIND_IMPLICIT, builder->location, 0);
    pause_below(builder);
    uint32_t member = builder->members.n++;
    builder->members.items[member] = (struct otter_member){.time = builder->time,
                                                           .end_time = UINT64_MAX,
                                                           .location = builder->location,
                                                           .comm = comm,
                                                           .task = task,
                                                           .fork = find_own_fork(builder, comm),
                                                           .first_barrier = OTTER_NONE,
                                                           .last_barrier = OTTER_NONE};
    struct otter_context *context = push(builder, task);
    context->is_base = true;
    context->base = builder->contexts.n - 1;
    context->member = member;
    context->has_end = true;
    context->wants_region = true;
    context->is_serial =
        comm < builder->definitions->n_comms && builder->definitions->comms[comm].n_members == 1;
    step(builder, OTTER_STEP_RUN, 0);
}

static void on_team_end(struct otter_builder *builder)
{
    uint32_t i = builder->contexts.n;
    while (i > 0 && builder->contexts.items[i - 1].member == OTTER_NONE) {
        i--;
    }
    while (i > 0 && builder->contexts.n >= i) {
        pop(builder);
    }
    resume_below(builder);
}

// ---- constructs

static void enter_team(struct otter_builder *builder, uint32_t region)
{
    if (builder->contexts.n > 0 && top(builder)->wants_region) {
        struct otter_graph_task *task = &builder->tasks.items[top(builder)->task];
        builder->nodes.items[task->first_node].region = region;
        top(builder)->wants_region = false;
        if (builder->definitions->regions[region].construct == OTTER_CONSTRUCT_TEAMS) {
            task->kind = OTTER_TASK_KIND_INITIAL;
        }
    }
}

static void on_enter(struct otter_builder *builder, uint32_t region)
{
    if (region >= builder->definitions->n_regions) {
        return;
    }
    switch ((enum otter_region_class)builder->region_class[region]) {
    case OTTER_CLASS_NONE: need_context(builder); break; // the thread's program runs
    case OTTER_CLASS_INITIAL: begin_initial(builder, region); break;
    case OTTER_CLASS_TEAM: enter_team(builder, region); break;
    case OTTER_CLASS_TASK:
        need_context(builder);
        enter_task(builder, region);
        break;
    case OTTER_CLASS_TASKWAIT_DEPEND:
        need_context(builder);
        step(builder, OTTER_STEP_ENTER, region);
        begin_list(builder, OTTER_STEP_LIST);
        break;
    default:
        need_context(builder);
        step(builder, OTTER_STEP_ENTER, region);
        break;
    }
}

// A task that was switched to and whose region is not told.
static void settle_switch(struct otter_builder *builder, const struct otter_event *event)
{
    struct otter_context *context = builder->contexts.n > 0 ? top(builder) : NULL;
    if (!context || !context->wants_region || context->is_base ||
        (event->kind == OTTER_RECORD_ENTER && event->region < builder->definitions->n_regions &&
         builder->region_class[event->region] == OTTER_CLASS_TASK)) {
        return;
    }
    context->wants_region = false;
    step_of(builder, context,
            (struct otter_step){.kind = OTTER_STEP_BACK, .time = builder->switch_time});
}

static void leave_initial(struct otter_builder *builder)
{
    uint32_t base = builder->contexts.n > 0 ? top(builder)->base : 0;
    if (builder->contexts.n == 0 || builder->contexts.items[base].member != OTTER_NONE) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    while (builder->contexts.n > base) {
        pop(builder);
    }
    resume_below(builder);
}

static void on_leave(struct otter_builder *builder, uint32_t region)
{
    if (region >= builder->definitions->n_regions) {
        return;
    }
    switch ((enum otter_region_class)builder->region_class[region]) {
    case OTTER_CLASS_NONE:
    case OTTER_CLASS_TEAM: break; // the end of the team's part follows
    case OTTER_CLASS_INITIAL: leave_initial(builder); break;
    case OTTER_CLASS_TASK: leave_task(builder); break;
    default:
        need_context(builder);
        step(builder, OTTER_STEP_LEAVE, region);
        break;
    }
}

// ---- parameters

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

// The first of an iteration's numbers comes with a time of its own.
static void on_iteration(struct otter_builder *builder, enum otter_step_kind kind, uint64_t value)
{
    if (builder->list_kind != kind || builder->list_time != builder->time) {
        flush(builder, NULL);
        need_context(builder);
        begin_list(builder, kind);
    }
    add_entry(builder, 0, value);
}

static void on_fulfilled(struct otter_builder *builder, uint32_t task)
{
    flush(builder, NULL);
    if (task != OTTER_NONE) {
        builder->tasks.items[task].flags |= OTTER_NODE_DETACHED;
        end_elsewhere(builder, task);
    }
}

static void on_detached(struct otter_builder *builder, uint32_t task)
{
    if (task != OTTER_NONE) {
        builder->tasks.items[task].flags |= OTTER_NODE_DETACHED;
    }
}

static void on_parameter(struct otter_builder *builder, uint32_t definition, uint64_t value)
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
    case OTTER_PARAMETER_TASK_FULFILLED:
        on_fulfilled(builder, task_of_value(builder, value));
        break;
    default: break;
    }
}

// ---- events

static void begin_location(struct otter_builder *builder, uint32_t location)
{
    otter_build_end_location(builder);
    builder->location = location;
    builder->left_task = OTTER_NONE;
}

// Others may stand between the records of one call: a chunk is written when it is full.
static bool is_of_tasks(enum otter_record kind)
{
    return kind > OTTER_RECORD_OTHER && kind <= OTTER_RECORD_PARAMETER;
}

void otter_build_event(struct otter_builder *builder, const struct otter_event *event)
{
    if (event->location != builder->location) {
        if (event->location >= builder->definitions->n_locations) {
            return;
        }
        begin_location(builder, event->location);
    }
    builder->time = event->time;
    if (is_of_tasks(event->kind)) {
        settle_switch(builder, event);
    }
    if (is_of_tasks(event->kind) && event->kind != OTTER_RECORD_PARAMETER) {
        flush(builder, event);
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: on_enter(builder, event->region); break;
    case OTTER_RECORD_LEAVE: on_leave(builder, event->region); break;
    case OTTER_RECORD_FORK: on_fork(builder); break;
    case OTTER_RECORD_JOIN: on_join(builder); break;
    case OTTER_RECORD_TEAM_BEGIN: on_team_begin(builder, event->comm); break;
    case OTTER_RECORD_TEAM_END: on_team_end(builder); break;
    case OTTER_RECORD_TASK_CREATE: on_create(builder, event); break;
    case OTTER_RECORD_TASK_SWITCH: on_switch(builder, event); break;
    case OTTER_RECORD_TASK_COMPLETE: on_complete(builder, event); break;
    case OTTER_RECORD_PARAMETER:
        on_parameter(builder, event->parameter.definition, event->parameter.value);
        break;
    default: break;
    }
}

void otter_build_end_location(struct otter_builder *builder)
{
    if (builder->location == OTTER_NONE || builder->has_failed) {
        return;
    }
    flush(builder, NULL);
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->open_forks.n > 0) {
        on_join(builder);
    }
    while (builder->contexts.n > 0) {
        pop(builder);
    }
    builder->closing_flags = 0;
    builder->open.n = 0;
    builder->never_ran = builder->is_cancelled = false;
    builder->location = OTTER_NONE;
}
