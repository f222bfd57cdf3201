// Maintains the stack of tasks of the location that is read.
#include "graph/build/stack.h"

// Marks the task as executed. An untied task may have begun earlier, on another location.
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
    started->flags &=
        // An untied task may be discarded after a part of it was executed.
        (uint8_t)~OTTER_NODE_NEVER_RAN;
}

struct otter_context *otter_stack_push(struct otter_builder *builder, uint32_t task)
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

void otter_stack_step_of(struct otter_builder *builder, struct otter_context *context,
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

void otter_stack_step(struct otter_builder *builder, enum otter_step_kind kind, uint32_t index)
{
    otter_stack_step_of(builder, otter_stack_top(builder),
                        (struct otter_step){.kind = (uint8_t)kind, .index = index});
}

void otter_stack_pause_below(struct otter_builder *builder)
{
    if (builder->contexts.n > 0) {
        otter_stack_step(builder, OTTER_STEP_PAUSE, 0);
    }
}

void otter_stack_resume_below(struct otter_builder *builder)
{
    if (builder->contexts.n > 0) {
        otter_stack_step(builder, OTTER_STEP_RUN, 0);
    }
}

void otter_stack_begin_initial(struct otter_builder *builder, uint32_t region)
{
    otter_stack_pause_below(builder);
    uint32_t task = otter_build_task(builder, OTTER_TASK_KIND_INITIAL, builder->location, 0);
    struct otter_context *context = otter_stack_push(builder, task);
    context->is_base = true;
    context->base = builder->contexts.n - 1;
    context->is_serial = true;
    context->has_end = region != OTTER_NONE;
    builder->nodes.items[builder->tasks.items[task].first_node].region = region;
    otter_stack_step(builder, OTTER_STEP_RUN, 0);
}

void otter_stack_need(struct otter_builder *builder)
{
    if (builder->contexts.n == 0) {
        otter_stack_begin_initial(builder, OTTER_NONE);
    }
}

void otter_stack_end_node(struct otter_builder *builder, uint32_t task, uint64_t time)
{
    const struct otter_graph_task *ended = &builder->tasks.items[task];
    if (otter_is_structure(builder)) {
        struct otter_node *node = &builder->nodes.items[ended->first_node];
        node->end = time > node->end ? time : node->end;
    }
}

// Code behind the barrier at the end of a region is the runtime's. Removes a fragment there if it
// is the newest node and has no flag.
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

// Older runtimes report the barrier at the end of a region like others.
static bool may_end_region(enum otter_construct construct)
{
    return construct == OTTER_CONSTRUCT_BARRIER || construct == OTTER_CONSTRUCT_BARRIER_IMPLICIT ||
           construct == OTTER_CONSTRUCT_BARRIER_IMPLEMENTATION;
}

// *Returns* whether the chain ends with its last barrier, or with a fragment right behind it.
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
    member->is_cut = builder->resumed == builder->time;
    if (member->last_barrier == OTTER_NONE || builder->closing_flags) {
        return;
    }
    struct otter_barrier *barrier = &builder->barriers.items[member->last_barrier];
    if (context->is_serial && !barrier->is_join) {
        return; // the barrier of a construct; runtimes rarely report that of the region
    }
    uint32_t region = builder->nodes.items[barrier->node].region;
    bool is_last = ends_with_barrier(builder, context, barrier->node);
    barrier->may_be_join = is_last && !member->is_cut &&
                           may_end_region(builder->definitions->regions[region].construct);
    if (is_last && (barrier->is_join || barrier->may_be_join) &&
        context->position != barrier->node) {
        drop_fragment(builder, barrier->node, member->task);
    }
}

// Joins the regions that the top task forked and did not join.
static void join_open_forks(struct otter_builder *builder)
{
    while (builder->open_forks.n > 0 &&
           builder->forks.items[builder->open_forks.items[builder->open_forks.n - 1]].depth >=
               builder->contexts.n) {
        uint8_t flags = builder->closing_flags;
        builder->closing_flags = OTTER_NODE_UNFINISHED;
        otter_stack_join(builder);
        builder->closing_flags = flags;
    }
}

void otter_stack_pop(struct otter_builder *builder)
{
    join_open_forks(builder);
    struct otter_context *context = otter_stack_top(builder);
    if (context->is_untied) {
        otter_stack_step(builder, OTTER_STEP_AWAY, 0);
    } else {
        otter_context_finish(builder, context, builder->time);
    }
    otter_depend_clear(context);
    otter_stack_end_node(builder, context->task, builder->time);
    if (context->is_base && context->has_end) {
        builder->tasks.items[context->task].flags |= builder->closing_flags;
    }
    if (context->member != OTTER_NONE) {
        end_member(builder, context);
    }
    builder->contexts.n--;
}

void otter_stack_join(struct otter_builder *builder)
{
    if (builder->open_forks.n == 0) {
        builder->findings.n_unmatched_leaves++;
        return;
    }
    uint32_t fork = builder->open_forks.items[--builder->open_forks.n];
    uint8_t flags = builder->closing_flags;
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->contexts.n > builder->forks.items[fork].depth) {
        otter_stack_pop(builder);
    }
    builder->closing_flags = flags;
    builder->forks.items[fork].end_time = builder->time;
    if (builder->contexts.n == builder->forks.items[fork].depth) {
        otter_stack_step(builder, OTTER_STEP_JOIN, fork);
    }
}
