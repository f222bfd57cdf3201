// Maintains the stack of tasks of the location that is read.
#include "graph/build/stack.h"

#include "base/free.h"

// Marks the task as executed. An untied task may have begun earlier, on another location.
static void note_start(struct otter_stack *stack, uint32_t task)
{
    struct otter_store *store = &stack->parts->store;
    struct otter_graph_task *started = &store->tasks.items[task];
    struct otter_node *node = &store->nodes.items[started->first_node];
    if ((started->flags & OTTER_BUILD_STARTED) && node->start <= stack->time) {
        return;
    }
    bool has_end = started->flags & (OTTER_BUILD_STARTED | OTTER_BUILD_ENDED);
    node->end = has_end && node->end > stack->time ? node->end : stack->time;
    node->start = stack->time;
    node->location = (uint16_t)stack->location;
    started->flags |= OTTER_BUILD_STARTED;
    // An untied task may be discarded after a part of it was executed.
    started->flags &= (uint8_t)~OTTER_NODE_NEVER_RAN;
}

struct otter_context *otter_stack_push(struct otter_stack *stack, uint32_t task)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (!OTTER_VECTOR_RESERVE(&stack->contexts)) {
        store->has_failed = true;
        return &stack->contexts.items[stack->contexts.n > 0 ? stack->contexts.n - 1 : 0];
    }
    struct otter_context *context = &stack->contexts.items[stack->contexts.n++];
    otter_context_init(context, task, store->tasks.items[task].last_node);
    context->first_open = parts->open.n;
    context->location = (uint16_t)stack->location;
    context->base = stack->contexts.n > 1 ? context[-1].base : 0;
    note_start(stack, task);
    return context;
}

void otter_stack_step_of(struct otter_stack *stack, struct otter_context *context,
                         struct otter_step step)
{
    struct otter_parts *parts = stack->parts;
    step.time = step.time ? step.time : stack->time;
    step.location = (uint16_t)stack->location;
    step.task = context->task;
    step.is_serial = context->is_serial;
    if (context->is_untied) {
        otter_log_add(&stack->log, parts, &step);
    } else {
        otter_step_do(parts, context, &step);
    }
}

void otter_stack_step(struct otter_stack *stack, enum otter_step_kind kind, uint32_t index)
{
    otter_stack_step_of(stack, otter_stack_top(stack),
                        (struct otter_step){.kind = (uint8_t)kind, .index = index});
}

void otter_stack_pause_below(struct otter_stack *stack)
{
    if (stack->contexts.n > 0) {
        otter_stack_step(stack, OTTER_STEP_PAUSE, 0);
    }
}

void otter_stack_resume_below(struct otter_stack *stack)
{
    if (stack->contexts.n > 0) {
        otter_stack_step(stack, OTTER_STEP_RUN, 0);
    }
}

// *Returns* whether the current task is the initial task of a thread that had other events before
// those of OpenMP.
static bool is_before_openmp(const struct otter_stack *stack)
{
    const struct otter_context *only = stack->contexts.items;
    return stack->contexts.n == 1 && only->is_base && !only->has_end && only->member == OTTER_NONE;
}

void otter_stack_begin_initial(struct otter_stack *stack, uint32_t region)
{
    struct otter_store *store = &stack->parts->store;
    if (is_before_openmp(stack)) {
        const struct otter_graph_task *begun = &store->tasks.items[stack->contexts.items[0].task];
        store->nodes.items[begun->first_node].region = region;
        return;
    }
    otter_stack_pause_below(stack);
    uint32_t task = otter_store_task(store, OTTER_TASK_KIND_INITIAL, stack->location, 0);
    struct otter_context *context = otter_stack_push(stack, task);
    context->is_base = true;
    context->base = stack->contexts.n - 1;
    context->is_serial = true;
    context->has_end = region != OTTER_NONE;
    store->nodes.items[store->tasks.items[task].first_node].region = region;
    otter_stack_step(stack, OTTER_STEP_RUN, 0);
}

void otter_stack_need(struct otter_stack *stack)
{
    if (stack->contexts.n == 0) {
        otter_stack_begin_initial(stack, OTTER_NONE);
    }
}

void otter_stack_end_node(struct otter_stack *stack, uint32_t task, uint64_t time)
{
    struct otter_store *store = &stack->parts->store;
    const struct otter_graph_task *ended = &store->tasks.items[task];
    if (otter_is_structure(store)) {
        struct otter_node *node = &store->nodes.items[ended->first_node];
        node->end = time > node->end ? time : node->end;
    }
}

// Code after the barrier at the end of a region belongs to the runtime. Removes a fragment there if
// it is the newest node and has no flag.
static void drop_fragment(struct otter_stack *stack, uint32_t barrier, uint32_t task)
{
    struct otter_store *store = &stack->parts->store;
    uint32_t fragment = barrier + 1;
    uint32_t n = store->edge_kind.n;
    bool is_end = store->nodes.n == fragment + 1 && store->nodes.items[fragment].flags == 0 &&
                  n > 0 && store->edge_from.items[n - 1] == barrier &&
                  store->edge_to.items[n - 1] == fragment &&
                  store->edge_kind.items[n - 1] == OTTER_EDGE_ORDER;
    if (is_end) {
        store->nodes.n--;
        store->edge_from.n--;
        store->edge_to.n--;
        store->edge_kind.n--;
        store->tasks.items[task].last_node = barrier;
    }
}

// Older runtimes report the barrier at the end of a region like any other (quirk 'one barrier
// kind').
static bool may_end_region(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_BARRIER || construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT ||
           construct == OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// *Returns* whether the chain ends with its last barrier, or with a fragment right after it.
static bool ends_with_barrier(const struct otter_stack *stack, const struct otter_context *context,
                              uint32_t barrier)
{
    struct otter_store *store = &stack->parts->store;
    uint32_t last = context->position;
    bool is_after = last == barrier + 1 && !otter_is_structure(store) &&
                    store->nodes.items[last].kind == OTTER_NODE_FRAGMENT;
    return (last == barrier || is_after) && !(store->nodes.items[last].flags) &&
           !(store->nodes.items[barrier].flags);
}

static void end_member(struct otter_stack *stack, const struct otter_context *context)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    struct otter_member *member = &parts->teams.members.items[context->member];
    member->is_cut = stack->resumed == stack->time;
    if (member->last_barrier == OTTER_NONE || store->closing_flags) {
        return;
    }
    struct otter_barrier *barrier = &parts->teams.barriers.items[member->last_barrier];
    if (context->is_serial && !barrier->is_join) {
        return; // a construct's barrier: runtimes rarely report the region's barrier
    }
    uint32_t region = store->nodes.items[barrier->node].region;
    bool is_last = ends_with_barrier(stack, context, barrier->node);
    barrier->may_be_join =
        is_last && !member->is_cut && may_end_region(store->definitions->regions[region].construct);
    if (is_last && (barrier->is_join || barrier->may_be_join) &&
        context->position != barrier->node) {
        drop_fragment(stack, barrier->node, member->task);
    }
}

// Joins the regions that the top task forked and did not join.
static void join_open_forks(struct otter_stack *stack)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    while (stack->open_forks.n > 0 &&
           parts->teams.forks.items[stack->open_forks.items[stack->open_forks.n - 1]].depth >=
               stack->contexts.n) {
        uint8_t flags = store->closing_flags;
        store->closing_flags = OTTER_NODE_UNFINISHED;
        otter_stack_join(stack);
        store->closing_flags = flags;
    }
}

void otter_stack_pop(struct otter_stack *stack)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    join_open_forks(stack);
    struct otter_context *context = otter_stack_top(stack);
    if (context->is_untied) {
        otter_stack_step(stack, OTTER_STEP_AWAY, 0);
    } else {
        otter_step_finish(parts, context, stack->time);
    }
    otter_depend_clear(context);
    otter_stack_end_node(stack, context->task, stack->time);
    if (context->is_base && context->has_end) {
        store->tasks.items[context->task].flags |= store->closing_flags;
    }
    if (context->member != OTTER_NONE) {
        end_member(stack, context);
    }
    stack->contexts.n--;
}

void otter_stack_join(struct otter_stack *stack)
{
    struct otter_parts *parts = stack->parts;
    struct otter_store *store = &parts->store;
    if (stack->open_forks.n == 0) {
        store->findings.n_unmatched_leaves++;
        return;
    }
    uint32_t fork = stack->open_forks.items[--stack->open_forks.n];
    uint8_t flags = store->closing_flags;
    store->closing_flags = OTTER_NODE_UNFINISHED;
    while (stack->contexts.n > parts->teams.forks.items[fork].depth) {
        otter_stack_pop(stack);
    }
    store->closing_flags = flags;
    parts->teams.forks.items[fork].end_time = stack->time;
    if (stack->contexts.n == parts->teams.forks.items[fork].depth) {
        otter_stack_step(stack, OTTER_STEP_JOIN, fork);
    }
}

bool otter_stack_init(struct otter_stack *stack, struct otter_parts *parts)
{
    *stack = (struct otter_stack){.parts = parts, .location = OTTER_NONE};
    return OTTER_VECTOR_RESERVE(&stack->contexts);
}

void otter_stack_finish(struct otter_stack *stack)
{
    for (uint32_t i = 0; i < stack->contexts.n; i++) {
        otter_depend_clear(&stack->contexts.items[i]);
    }
    OTTER_FREE(stack->contexts.items, stack->open_forks.items);
    otter_log_finish(&stack->log);
}
