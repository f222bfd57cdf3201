// Turns the events of a location into steps of the task that is current there.
#include "graph/build/event.h"
#include "graph/build/parameter.h"
#include "graph/build/task.h"

// ---- teams

static void on_fork(struct otter_stack *stack)
{
    struct otter_parts *parts = stack->parts;
    otter_stack_need(stack);
    if (!OTTER_VECTOR_RESERVE(&parts->teams.forks) || !OTTER_VECTOR_RESERVE(&stack->open_forks)) {
        parts->store.has_failed = true;
        return;
    }
    uint32_t n = stack->open_forks.n;
    uint32_t fork = parts->teams.forks.n++;
    parts->teams.forks.items[fork] =
        (struct otter_fork){.time = stack->time,
                            .end_time = UINT64_MAX,
                            .location = stack->location,
                            .number = ++stack->n_forks,
                            .enclosing = n > 0 ? stack->open_forks.items[n - 1] : OTTER_NONE,
                            .task = otter_stack_top(stack)->task,
                            .depth = stack->contexts.n,
                            .begin = OTTER_NONE,
                            .end = OTTER_NONE};
    stack->open_forks.items[stack->open_forks.n++] = fork;
    otter_stack_step(stack, OTTER_STEP_FORK, fork);
}

// *Returns* the fork whose own thread begins its part here, or OTTER_NONE if another thread forked
// the team.
static uint32_t find_own_fork(struct otter_stack *stack, uint32_t comm)
{
    struct otter_parts *parts = stack->parts;
    uint32_t n = stack->open_forks.n;
    uint32_t fork = n > 0 ? stack->open_forks.items[n - 1] : OTTER_NONE;
    if (fork == OTTER_NONE || parts->teams.forks.items[fork].has_comm ||
        parts->teams.forks.items[fork].depth != stack->contexts.n) {
        return OTTER_NONE;
    }
    parts->teams.forks.items[fork].has_comm = true;
    parts->teams.forks.items[fork].comm = comm;
    return fork;
}

static void on_team_begin(struct otter_stack *stack, uint32_t comm)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (!OTTER_VECTOR_RESERVE(&parts->teams.members)) {
        store->has_failed = true;
        return;
    }
    uint32_t task = otter_store_task(store, OTTER_TASK_KIND_IMPLICIT, stack->location, 0);
    otter_stack_pause_below(stack);
    uint32_t member = parts->teams.members.n++;
    parts->teams.members.items[member] = (struct otter_member){.time = stack->time,
                                                               .location = stack->location,
                                                               .comm = comm,
                                                               .task = task,
                                                               .fork = find_own_fork(stack, comm),
                                                               .first_barrier = OTTER_NONE,
                                                               .last_barrier = OTTER_NONE};
    struct otter_context *context = otter_stack_push(stack, task);
    context->is_base = true;
    context->base = stack->contexts.n - 1;
    context->member = member;
    context->has_end = true;
    context->wants_region = true;
    context->is_serial =
        comm < store->definitions->n_comms && store->definitions->comms[comm].n_members == 1;
    otter_stack_step(stack, OTTER_STEP_RUN, 0);
}

static void on_team_end(struct otter_stack *stack)
{
    uint32_t i = stack->contexts.n;
    while (i > 0 && stack->contexts.items[i - 1].member == OTTER_NONE) {
        i--;
    }
    while (i > 0 && stack->contexts.n >= i) {
        otter_stack_pop(stack);
    }
    otter_stack_resume_below(stack);
}

// ---- constructs

static void enter_team(struct otter_stack *stack, uint32_t region)
{
    struct otter_store *store = &stack->parts->store;
    if (stack->contexts.n > 0 && otter_stack_top(stack)->wants_region) {
        struct otter_graph_task *task = &store->tasks.items[otter_stack_top(stack)->task];
        store->nodes.items[task->first_node].region = region;
        otter_stack_top(stack)->wants_region = false;
        if (store->definitions->regions[region].construct == OTTER_CONSTRUCT_TEAMS) {
            task->kind = OTTER_TASK_KIND_INITIAL;
        }
    }
}

static void on_enter(struct otter_reading *reading, uint32_t region)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    if (region >= parts->store.definitions->n_regions) {
        return;
    }
    switch ((enum otter_region_class)parts->regions.class[region]) {
    case OTTER_CLASS_NONE: otter_stack_need(stack); break; // the program runs outside of tasks
    case OTTER_CLASS_INITIAL: otter_stack_begin_initial(stack, region); break;
    case OTTER_CLASS_TEAM: enter_team(stack, region); break;
    case OTTER_CLASS_TASK:
        otter_stack_need(stack);
        otter_read_enter_task(stack, region);
        break;
    case OTTER_CLASS_TASKWAIT_DEPEND:
        otter_stack_need(stack);
        otter_stack_step(stack, OTTER_STEP_ENTER, region);
        otter_read_begin_list(reading, OTTER_STEP_LIST);
        break;
    default:
        otter_stack_need(stack);
        otter_stack_step(stack, OTTER_STEP_ENTER, region);
        break;
    }
}

static void leave_initial(struct otter_stack *stack)
{
    uint32_t base = stack->contexts.n > 0 ? otter_stack_top(stack)->base : 0;
    if (stack->contexts.n == 0 || stack->contexts.items[base].member != OTTER_NONE) {
        stack->parts->store.findings.n_unmatched_leaves++;
        return;
    }
    // An initial task that began before OpenMP executes the rest of the program.
    bool continues = !stack->contexts.items[base].has_end;
    while (stack->contexts.n > base + continues) {
        otter_stack_pop(stack);
    }
    otter_stack_resume_below(stack);
}

static void on_leave(struct otter_reading *reading, uint32_t region)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    if (region >= parts->store.definitions->n_regions) {
        return;
    }
    switch ((enum otter_region_class)parts->regions.class[region]) {
    case OTTER_CLASS_NONE:
    case OTTER_CLASS_TEAM: break; // the end of the member's part follows
    case OTTER_CLASS_INITIAL: leave_initial(stack); break;
    case OTTER_CLASS_TASK: otter_read_leave_task(reading); break;
    default:
        otter_stack_need(stack);
        otter_stack_step(stack, OTTER_STEP_LEAVE, region);
        break;
    }
}

// ---- events

static void begin_location(struct otter_reading *reading, uint32_t location)
{
    struct otter_stack *stack = &reading->stack;
    otter_read_end_location(reading);
    stack->location = location;
    stack->n_forks = 0;
    stack->resumed = 0;
    stack->parts->doacross.acquired_time = UINT64_MAX;
    reading->before = OTTER_RECORD_OTHER;
    reading->end.left_task = OTTER_NONE;
}

// Begins or ends a pause. The current task during a pause is unknown.
static void on_measurement(struct otter_stack *stack, bool is_on)
{
    stack->parts->store.findings.n_pauses += !is_on;
    stack->resumed = is_on ? stack->time : stack->resumed;
    if (stack->contexts.n > 0) {
        otter_stack_step(stack, is_on ? OTTER_STEP_RUN : OTTER_STEP_PAUSE, 0);
    }
}

// Returns whether records of this kind describe tasks. A full chunk inserts records of other kinds
// between the records of one call.
static bool is_of_tasks(enum otter_record kind)
{
    return (kind > OTTER_RECORD_OTHER && kind <= OTTER_RECORD_PARAMETER) ||
           kind == OTTER_RECORD_MEASUREMENT;
}

void otter_read_event(struct otter_reading *reading, const struct otter_event *event)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (event->location != stack->location) {
        if (event->location >= store->definitions->n_locations) {
            return;
        }
        begin_location(reading, event->location);
    }
    stack->time = event->time;
    if (store->definitions->locations[event->location].kind == OTTER_LOCATION_ACCELERATOR) {
        otter_operations_event(&parts->operations, store, event);
        return;
    }
    if (is_of_tasks(event->kind)) {
        otter_read_flush_switch(reading, event);
    }
    if (is_of_tasks(event->kind) && event->kind != OTTER_RECORD_PARAMETER) {
        otter_read_flush(reading, event);
    }
    switch (event->kind) {
    case OTTER_RECORD_ENTER: on_enter(reading, event->region); break;
    case OTTER_RECORD_LEAVE: on_leave(reading, event->region); break;
    case OTTER_RECORD_FORK: on_fork(stack); break;
    case OTTER_RECORD_JOIN: otter_stack_join(stack); break;
    case OTTER_RECORD_TEAM_BEGIN: on_team_begin(stack, event->comm); break;
    case OTTER_RECORD_TEAM_END: on_team_end(stack); break;
    case OTTER_RECORD_TASK_CREATE: otter_read_create(reading, event); break;
    case OTTER_RECORD_TASK_SWITCH: otter_read_switch(reading, event); break;
    case OTTER_RECORD_TASK_COMPLETE: otter_read_complete(reading, event); break;
    case OTTER_RECORD_ACQUIRE_LOCK:
        parts->doacross.acquired_time = stack->time;
        parts->doacross.acquired_order = event->lock.order;
        break;
    case OTTER_RECORD_PARAMETER:
        otter_read_parameter(reading, event->parameter.definition, event->parameter.value);
        break;
    case OTTER_RECORD_MEASUREMENT: on_measurement(stack, event->is_on); break;
    default: break;
    }
    if (event->kind != OTTER_RECORD_PARAMETER) {
        reading->before = event->kind;
    }
}

void otter_read_end_location(struct otter_reading *reading)
{
    struct otter_stack *stack = &reading->stack;
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (stack->location == OTTER_NONE || store->has_failed) {
        return;
    }
    otter_read_flush(reading, NULL);
    store->closing_flags = OTTER_NODE_UNFINISHED;
    while (stack->open_forks.n > 0) {
        otter_stack_join(stack);
    }
    while (stack->contexts.n > 0) {
        otter_stack_pop(stack);
    }
    store->closing_flags = 0;
    parts->open.n = 0;
    reading->end.never_ran = reading->end.is_cancelled = parts->operations.is_in_piece = false;
    stack->location = OTTER_NONE;
}
