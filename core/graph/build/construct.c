// Turns the enter and leave of a construct into nodes: scopes, waits, operations on device data.
#include "graph/build/chain.h"

static enum otter_construct construct_of(const struct otter_builder *builder, uint32_t region)
{
    return builder->definitions->regions[region].construct;
}

static void begin_scope(struct otter_builder *builder, struct otter_context *context,
                        struct otter_open_construct *open)
{
    uint32_t before = context->position;
    open->begin =
        otter_chain_add(builder, context, OTTER_NODE_BEGIN, open->region, open->start, open->start);
    otter_chain_nest(builder, context, open->begin, before);
    context->scope = open->begin;
}

static void begin_target(struct otter_builder *builder, struct otter_context *context,
                         struct otter_open_construct *open)
{
    if (otter_is_structure(builder)) {
        begin_scope(builder, context, open);
    }
    if (!OTTER_VECTOR_RESERVE(&builder->targets)) {
        builder->has_failed = true;
        return;
    }
    open->scope = builder->targets.n;
    builder->targets.items[builder->targets.n++] = (struct otter_target){.end = OTTER_NONE};
}

// ---- ordered regions: an edge leads from the end of each to the begin of the next in this loop

static void begin_ordered(struct otter_builder *builder, struct otter_context *context,
                          struct otter_open_construct *open)
{
    bool is_inside = builder->open.n > context->first_open &&
                     builder->open.items[builder->open.n - 1].class == OTTER_CLASS_ORDERED;
    uint32_t region = is_inside ? builder->open.items[builder->open.n - 1].region : open->region;
    // A pause may hide the acquisition of a lock that the task still holds.
    bool is_known = builder->acquired_time == open->start && context->member != OTTER_NONE;
    open->scope = is_known ? builder->acquired_order : OTTER_NONE;
    if (otter_is_structure(builder)) {
        begin_scope(builder, context, open);
        builder->nodes.items[open->begin].region = region;
    } else {
        otter_chain_cut(builder, context, open->start);
        otter_chain_add(builder, context, OTTER_NODE_SYNC, region, open->start, open->start);
    }
    if (is_known) {
        otter_chain_order_iteration(builder, context, open->scope - UINT64_C(1), false);
    }
    otter_chain_run(builder, context, open->start);
}

// In the fragments view the current fragment ends.
static void end_ordered(struct otter_builder *builder, struct otter_context *context,
                        const struct otter_open_construct *open, uint64_t time)
{
    if (otter_is_structure(builder)) {
        uint32_t region = builder->nodes.items[open->begin].region;
        uint32_t node = otter_chain_add(builder, context, OTTER_NODE_END, region, time, time);
        builder->nodes.items[node].scope = open->begin;
        context->scope = open->outer;
    } else {
        otter_chain_cut(builder, context, time);
    }
    if (open->scope != OTTER_NONE && !builder->closing_flags) {
        otter_chain_order_iteration(builder, context, open->scope, true);
    }
    otter_chain_run(builder, context, time);
}

static void begin_construct(struct otter_builder *builder, struct otter_context *context,
                            struct otter_open_construct *open)
{
    switch (open->class) {
    case OTTER_CLASS_ORDERED: break;
    case OTTER_CLASS_ORDERED_BLOCK: begin_ordered(builder, context, open); break;
    case OTTER_CLASS_TARGET: begin_target(builder, context, open); break;
    default:
        if (otter_is_structure(builder)) {
            begin_scope(builder, context, open);
        }
    }
}

void otter_chain_enter(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_step *step)
{
    uint8_t class = builder->region_class[step->index];
    struct otter_open_construct open = {.start = step->time,
                                        .region = step->index,
                                        .begin = OTTER_NONE,
                                        .outer = context->scope,
                                        .unjoined = context->unjoined,
                                        .scope = OTTER_NONE,
                                        .group = context->group,
                                        .class = class};
    if (!OTTER_VECTOR_RESERVE(&builder->open)) {
        builder->has_failed = true;
        return;
    }
    if (otter_is_wait(class)) {
        otter_chain_interrupt(builder, context, step->time);
        otter_chain_begin_wait(builder, context, step->time);
    } else {
        begin_construct(builder, context, &open);
    }
    if (class == OTTER_CLASS_TASKGROUP) {
        open.scope = otter_join_begin_group(builder, context, open.begin);
        context->group = builder->open.n;
    } else if (class == OTTER_CLASS_TASKGROUP_WAIT && context->group != OTTER_NONE) {
        struct otter_open_construct *group = &builder->open.items[context->group];
        group->wait_start = step->time;
        group->has_waited = true;
    }
    open.n_waits = context->n_waits;
    context->n_loops += construct_of(builder, step->index) == OTTER_CONSTRUCT_LOOP;
    builder->open.items[builder->open.n++] = open;
}

static void end_group(struct otter_builder *builder, struct otter_context *context,
                      struct otter_open_construct *group, uint32_t node)
{
    builder->scopes.items[group->scope].end = node;
    context->unjoined = group->unjoined;
}

// In the fragments view a sync node waits for the device.
static void end_target(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_open_construct *open, uint64_t time)
{
    struct otter_target *target = &builder->targets.items[open->scope];
    if (target->has_operations) {
        otter_chain_interrupt(builder, context, time);
        otter_chain_cut(builder, context, time);
        target->end = otter_chain_add(builder, context, OTTER_NODE_SYNC, open->region, time, time);
        otter_chain_run(builder, context, time);
    }
}

static void end_scope(struct otter_builder *builder, struct otter_context *context,
                      struct otter_open_construct *open, uint64_t time)
{
    if (open->class == OTTER_CLASS_ORDERED) {
        return;
    }
    if (open->class == OTTER_CLASS_ORDERED_BLOCK) {
        end_ordered(builder, context, open, time);
    } else if (otter_is_structure(builder)) {
        uint64_t start = open->has_waited ? open->wait_start : time;
        uint32_t node =
            otter_chain_add(builder, context, OTTER_NODE_END, open->region, start, time);
        builder->nodes.items[node].scope = open->begin;
        context->scope = open->outer;
        if (open->class == OTTER_CLASS_TASKGROUP) {
            end_group(builder, context, open, node);
        } else if (open->class == OTTER_CLASS_TARGET) {
            builder->targets.items[open->scope].end = node;
        }
    } else if (open->class == OTTER_CLASS_TARGET) {
        end_target(builder, context, open, time);
    } else if (open->class == OTTER_CLASS_TASKGROUP && !open->has_waited) {
        otter_chain_interrupt(builder, context, time);
        otter_chain_cut(builder, context, time);
        end_group(builder, context, open,
                  otter_chain_add(builder, context, OTTER_NODE_SYNC, open->region, time, time));
        otter_chain_run(builder, context, time);
    }
    context->group = open->group;
}

// In the fragments view the wait of a taskgroup is the end of the taskgroup.
static void end_group_wait(struct otter_builder *builder, struct otter_context *context,
                           uint64_t start, uint64_t time)
{
    if (otter_is_structure(builder) || context->group == OTTER_NONE) {
        return;
    }
    struct otter_open_construct *group = &builder->open.items[context->group];
    end_group(builder, context, group,
              otter_chain_add(builder, context, OTTER_NODE_SYNC, group->region, start, time));
}

static void end_operation(struct otter_builder *builder, struct otter_context *context,
                          const struct otter_open_construct *open, uint64_t time)
{
    uint64_t start = open->is_interrupted ? time : open->start;
    uint32_t node =
        otter_chain_add(builder, context, OTTER_NODE_OPERATION, open->region, start, time);
    if (open->scope != OTTER_NONE) {
        builder->operations.items[open->scope].node = node;
    }
}

static void end_sync(struct otter_builder *builder, struct otter_context *context,
                     const struct otter_open_construct *open, uint64_t time)
{
    uint32_t node =
        otter_chain_add(builder, context, OTTER_NODE_SYNC, open->region, open->start, time);
    if (open->class == OTTER_CLASS_TASKWAIT) {
        otter_join_children(builder, context, node);
    } else if (open->class == OTTER_CLASS_BARRIER) {
        otter_join_barrier(builder, context, node, construct_of(builder, open->region));
    }
}

// The next step decides whether a `taskwait depend` is a node or the depend clause of a new task.
static void keep_wait(struct otter_context *context, const struct otter_open_construct *open,
                      uint64_t time)
{
    context->has_wait = true;
    context->wait_region = open->region;
    context->wait_start = open->start;
    context->wait_end = time;
}

static void leave_top(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    struct otter_open_construct open = builder->open.items[--builder->open.n];
    if (!otter_is_wait(open.class)) {
        end_scope(builder, context, &open, time);
        return;
    }
    if (open.class == OTTER_CLASS_TASKGROUP_WAIT) {
        end_group_wait(builder, context, open.start, time);
    } else if (open.class == OTTER_CLASS_TASKWAIT_DEPEND) {
        keep_wait(context, &open, time);
        return;
    } else if (open.class == OTTER_CLASS_OPERATION) {
        end_operation(builder, context, &open, time);
    } else {
        end_sync(builder, context, &open, time);
    }
    otter_chain_end_wait(builder, context, time);
}

void otter_chain_leave(struct otter_builder *builder, struct otter_context *context,
                       const struct otter_step *step)
{
    uint32_t i = builder->open.n;
    while (i > context->first_open && builder->open.items[i - 1].region != step->index) {
        i--;
    }
    builder->findings.n_unmatched_leaves += i != builder->open.n || i == context->first_open;
    while (i > context->first_open && builder->open.n >= i) {
        leave_top(builder, context, step->time);
    }
    otter_chain_go_on(builder, context, step->time);
}

void otter_chain_settle_wait(struct otter_builder *builder, struct otter_context *context)
{
    if (!context->has_wait) {
        return;
    }
    context->has_wait = false;
    uint32_t node = otter_chain_add(builder, context, OTTER_NODE_SYNC, context->wait_region,
                                    context->wait_start, context->wait_end);
    struct otter_dependent wait = {node, false, otter_join_scope_of(builder, context)};
    otter_depend_add(builder, context, wait, context->wait_first, context->wait_n);
    context->wait_n = 0;
    otter_chain_end_wait(builder, context, context->wait_end);
}

void otter_chain_leave_all(struct otter_builder *builder, struct otter_context *context,
                           uint64_t time)
{
    uint8_t flags = builder->closing_flags;
    builder->closing_flags = OTTER_NODE_UNFINISHED;
    while (builder->open.n > context->first_open) {
        leave_top(builder, context, time);
    }
    builder->closing_flags = flags;
}
