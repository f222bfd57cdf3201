// Turns the events of a location into steps of the task that is current there.
#include "graph/build/stack.h"

// ---- teams

static void on_fork(struct otter_builder *builder)
{
    otter_stack_need(builder);
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
                            .number = ++builder->n_forks,
                            .enclosing = n > 0 ? builder->open_forks.items[n - 1] : OTTER_NONE,
                            .task = otter_stack_top(builder)->task,
                            .depth = builder->contexts.n,
                            .begin = OTTER_NONE,
                            .end = OTTER_NONE};
    builder->open_forks.items[builder->open_forks.n++] = fork;
    otter_stack_step(builder, OTTER_STEP_FORK, fork);
}

// *Returns* the fork whose own thread begins its part here, or OTTER_NONE if the team is another
// thread's.
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
    otter_stack_pause_below(builder);
    uint32_t member = builder->members.n++;
    builder->members.items[member] = (struct otter_member){.time = builder->time,
                                                           .end_time = UINT64_MAX,
                                                           .location = builder->location,
                                                           .comm = comm,
                                                           .task = task,
                                                           .fork = find_own_fork(builder, comm),
                                                           .first_barrier = OTTER_NONE,
                                                           .last_barrier = OTTER_NONE};
    struct otter_context *context = otter_stack_push(builder, task);
    context->is_base = true;
    context->base = builder->contexts.n - 1;
    context->member = member;
    context->has_end = true;
    context->wants_region = true;
    context->is_serial =
        comm < builder->definitions->n_comms && builder->definitions->comms[comm].n_members == 1;
    otter_stack_step(builder, OTTER_STEP_RUN, 0);
}

static void on_team_end(struct otter_builder *builder)
{
    uint32_t i = builder->contexts.n;
    while (i > 0 && builder->contexts.items[i - 1].member == OTTER_NONE) {
        i--;
    }
    while (i > 0 && builder->contexts.n >= i) {
        otter_stack_pop(builder);
    }
    otter_stack_resume_below(builder);
}

// ---- constructs

static void enter_team(struct otter_builder *builder, uint32_t region)
{
    if (builder->contexts.n > 0 && otter_stack_top(builder)->wants_region) {
        struct otter_graph_task *task = &builder->tasks.items[otter_stack_top(builder)->task];
        builder->nodes.items[task->first_node].region = region;
        otter_stack_top(builder)->wants_region = false;
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
    case OTTER_CLASS_NONE: otter_stack_need(builder); break; // the sequential program runs
    case OTTER_CLASS_INITIAL: otter_stack_begin_initial(builder, region); break;
    case OTTER_CLASS_TEAM: enter_team(builder, region); break;
    case OTTER_CLASS_TASK:
        otter_stack_need(builder);
        otter_build_enter_task(builder, region);
        break;
    case OTTER_CLASS_TASKWAIT_DEPEND:
        otter_stack_need(builder);
        otter_stack_step(builder, OTTER_STEP_ENTER, region);
        otter_build_begin_list(builder, OTTER_STEP_LIST);
        break;
    default:
        otter_stack_need(builder);
        otter_stack_step(builder, OTTER_STEP_ENTER, region);
        break;
    }
}

static void leave_initial(struct otter_builder *builder)
{
    uint32_t base = builder->contexts.n > 0 ? otter_stack_top(builder)->base : 0;
    if (builder->contexts.n == 0 || builder->contexts.items[base].member != OTTER_NONE) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    while (builder->contexts.n > base) {
        otter_stack_pop(builder);
    }
    otter_stack_resume_below(builder);
}

static void on_leave(struct otter_builder *builder, uint32_t region)
{
    if (region >= builder->definitions->n_regions) {
        return;
    }
    switch ((enum otter_region_class)builder->region_class[region]) {
    case OTTER_CLASS_NONE:
    case OTTER_CLASS_TEAM: break; // the end of the member's part follows
    case OTTER_CLASS_INITIAL: leave_initial(builder); break;
    case OTTER_CLASS_TASK: otter_build_leave_task(builder); break;
    default:
        otter_stack_need(builder);
        otter_stack_step(builder, OTTER_STEP_LEAVE, region);
        break;
    }
}

// ---- events

static void begin_location(struct otter_builder *builder, uint32_t location)
{
    otter_build_end_location(builder);
    builder->location = location;
    builder->n_forks = 0;
    builder->resumed = 0;
    builder->acquired_time = UINT64_MAX;
    builder->before = OTTER_RECORD_OTHER;
    builder->left_task = OTTER_NONE;
}

// A pause begins or ends. The current task of a pause is unknown.
static void on_measurement(struct otter_builder *builder, bool is_on)
{
    builder->findings.n_pauses += !is_on;
    builder->resumed = is_on ? builder->time : builder->resumed;
    if (builder->contexts.n > 0) {
        otter_stack_step(builder, is_on ? OTTER_STEP_RUN : OTTER_STEP_PAUSE, 0);
    }
}

// A full chunk adds records of its own between the records of one call.
static bool is_of_tasks(enum otter_record kind)
{
    return (kind > OTTER_RECORD_OTHER && kind <= OTTER_RECORD_PARAMETER) ||
           kind == OTTER_RECORD_MEASUREMENT;
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
    if (builder->definitions->locations[event->location].kind == OTTER_LOCATION_ACCELERATOR) {
        otter_device_event(builder, event);
        return;
    }
    if (is_of_tasks(event->kind)) {
        otter_build_settle_switch(builder, event);
    }
    if (is_of_tasks(event->kind) && event->kind != OTTER_RECORD_PARAMETER) {
        otter_build_flush(builder, event);
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: on_enter(builder, event->region); break;
    case OTTER_RECORD_LEAVE: on_leave(builder, event->region); break;
    case OTTER_RECORD_FORK: on_fork(builder); break;
    case OTTER_RECORD_JOIN: otter_stack_join(builder); break;
    case OTTER_RECORD_TEAM_BEGIN: on_team_begin(builder, event->comm); break;
    case OTTER_RECORD_TEAM_END: on_team_end(builder); break;
    case OTTER_RECORD_TASK_CREATE: otter_build_create(builder, event); break;
    case OTTER_RECORD_TASK_SWITCH: otter_build_switch(builder, event); break;
    case OTTER_RECORD_TASK_COMPLETE: otter_build_complete(builder, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK:
        builder->acquired_time = builder->time;
        builder->acquired_order = event->lock.order;
        break;
    case OTTER_RECORD_PARAMETER:
        otter_build_parameter(builder, event->parameter.definition, event->parameter.value);
        break;
    case OTTER_RECORD_MEASUREMENT: on_measurement(builder, event->is_on); break;
    default: break;
    }
    if (event->kind != OTTER_RECORD_PARAMETER) {
        builder->before = event->kind;
    }
}

void otter_build_end_location(struct otter_builder *builder)
{
    if (builder->location == OTTER_NONE || builder->has_failed) {
        return;
    }
    otter_build_flush(builder, NULL);
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->open_forks.n > 0) {
        otter_stack_join(builder);
    }
    while (builder->contexts.n > 0) {
        otter_stack_pop(builder);
    }
    builder->closing_flags = 0;
    builder->open.n = 0;
    builder->never_ran = builder->is_cancelled = builder->is_in_piece = false;
    builder->location = OTTER_NONE;
}
