// Turns the enter and leave of a construct into nodes: scopes, waits, operations on device data.
#include "graph/build/edges/construct.h"

#include "graph/build/edges/depend.h"

static enum otter_construct construct_of(const struct otter_parts *parts, uint32_t region)
{
    return parts->store.definitions->regions[region].construct;
}

static void begin_scope(struct otter_parts *parts, struct otter_context *context,
                        struct otter_open_construct *open)
{
    struct otter_store *store = &parts->store;
    uint32_t before = context->position;
    open->begin =
        otter_chain_add(store, context, OTTER_NODE_BEGIN, open->region, open->start, open->start);
    otter_chain_nest(store, context, open->begin, before);
    context->scope = open->begin;
}

static void begin_target(struct otter_parts *parts, struct otter_context *context,
                         struct otter_open_construct *open)
{
    struct otter_store *store = &parts->store;
    if (otter_is_structure(store)) {
        begin_scope(parts, context, open);
    }
    uint32_t target = parts->operations.targets.n;
    OTTER_APPEND(store, &parts->operations.targets, (struct otter_target){.end = OTTER_NONE});
    open->scope = store->has_failed ? 0 : target;
}

// ---- ordered regions: an edge leads from the end of each to the start of the next in this loop

static void begin_ordered(struct otter_parts *parts, struct otter_context *context,
                          struct otter_open_construct *open)
{
    struct otter_store *store = &parts->store;
    const struct otter_open_construct *outer = otter_open_top(&parts->open, context);
    bool is_inside = outer && outer->class == OTTER_CLASS_ORDERED;
    uint32_t region = is_inside ? outer->region : open->region;
    // A pause may hide the acquisition of a lock that the task still holds.
    bool is_known = parts->doacross.acquired_time == open->start && context->member != OTTER_NONE;
    open->scope = is_known ? parts->doacross.acquired_order : OTTER_NONE;
    if (otter_is_structure(store)) {
        begin_scope(parts, context, open);
        store->nodes.items[open->begin].region = region;
    } else {
        otter_chain_cut(store, context, open->start);
        otter_chain_add(store, context, OTTER_NODE_SYNC, region, open->start, open->start);
    }
    if (is_known) {
        otter_doacross_add(&parts->doacross, store, context, open->scope - UINT64_C(1), false);
    }
    otter_chain_run(store, context, open->start);
}

// Ends an ordered block. In the fragments view, this also ends the current fragment.
static void end_ordered(struct otter_parts *parts, struct otter_context *context,
                        const struct otter_open_construct *open, uint64_t time)
{
    struct otter_store *store = &parts->store;
    if (otter_is_structure(store)) {
        uint32_t region = store->nodes.items[open->begin].region;
        uint32_t node = otter_chain_add(store, context, OTTER_NODE_END, region, time, time);
        store->nodes.items[node].scope = open->begin;
        context->scope = open->outer;
    } else {
        otter_chain_cut(store, context, time);
    }
    if (open->scope != OTTER_NONE && !store->closing_flags) {
        otter_doacross_add(&parts->doacross, store, context, open->scope, true);
    }
    otter_chain_run(store, context, time);
}

static void begin_construct(struct otter_parts *parts, struct otter_context *context,
                            struct otter_open_construct *open)
{
    switch (open->class) {
    case OTTER_CLASS_ORDERED: break;
    case OTTER_CLASS_ORDERED_BLOCK: begin_ordered(parts, context, open); break;
    case OTTER_CLASS_TARGET: begin_target(parts, context, open); break;
    default:
        if (otter_is_structure(&parts->store)) {
            begin_scope(parts, context, open);
        }
    }
}

void otter_construct_enter(struct otter_parts *parts, struct otter_context *context,
                           uint32_t region, uint64_t time)
{
    struct otter_store *store = &parts->store;
    uint8_t class = parts->regions.class[region];
    struct otter_open_construct open = {.start = time,
                                        .region = region,
                                        .begin = OTTER_NONE,
                                        .outer = context->scope,
                                        .unjoined = context->unjoined,
                                        .scope = OTTER_NONE,
                                        .group = context->group,
                                        .class = class};
    if (!OTTER_VECTOR_RESERVE(&parts->open)) {
        store->has_failed = true;
        return;
    }
    if (otter_is_wait(class)) {
        otter_open_interrupt(&parts->open, store, context, time);
        otter_open_begin_wait(store, context, time);
    } else {
        begin_construct(parts, context, &open);
    }
    if (class == OTTER_CLASS_TASKGROUP) {
        open.scope =
            otter_join_begin_group(&parts->joins, store, &parts->open, context, open.begin);
        context->group = parts->open.n;
    } else if (class == OTTER_CLASS_TASKGROUP_WAIT && context->group != OTTER_NONE) {
        struct otter_open_construct *group = &parts->open.items[context->group];
        group->wait_start = time;
        group->has_waited = true;
    }
    open.n_waits = context->n_waits;
    context->n_loops += construct_of(parts, region) == OTTER_CONSTRUCT_LOOP;
    parts->open.items[parts->open.n++] = open;
}

static void end_group(struct otter_parts *parts, struct otter_context *context,
                      struct otter_open_construct *group, uint32_t node)
{
    parts->joins.scopes.items[group->scope].end = node;
    context->unjoined = group->unjoined;
}

// Ends a target construct. In the fragments view, a sync node waits for the device.
static void end_target(struct otter_parts *parts, struct otter_context *context,
                       const struct otter_open_construct *open, uint64_t time)
{
    struct otter_store *store = &parts->store;
    struct otter_target *target = &parts->operations.targets.items[open->scope];
    if (target->has_operations) {
        otter_open_interrupt(&parts->open, store, context, time);
        otter_chain_cut(store, context, time);
        target->end = otter_chain_add(store, context, OTTER_NODE_SYNC, open->region, time, time);
        otter_chain_run(store, context, time);
    }
}

static void end_scope(struct otter_parts *parts, struct otter_context *context,
                      struct otter_open_construct *open, uint64_t time)
{
    struct otter_store *store = &parts->store;
    if (open->class == OTTER_CLASS_ORDERED) {
        return;
    }
    if (open->class == OTTER_CLASS_ORDERED_BLOCK) {
        end_ordered(parts, context, open, time);
    } else if (otter_is_structure(store)) {
        uint64_t start = open->has_waited ? open->wait_start : time;
        uint32_t node = otter_chain_add(store, context, OTTER_NODE_END, open->region, start, time);
        store->nodes.items[node].scope = open->begin;
        context->scope = open->outer;
        if (open->class == OTTER_CLASS_TASKGROUP) {
            end_group(parts, context, open, node);
        } else if (open->class == OTTER_CLASS_TARGET) {
            parts->operations.targets.items[open->scope].end = node;
        }
    } else if (open->class == OTTER_CLASS_TARGET) {
        end_target(parts, context, open, time);
    } else if (open->class == OTTER_CLASS_TASKGROUP && !open->has_waited) {
        otter_open_interrupt(&parts->open, store, context, time);
        otter_chain_cut(store, context, time);
        end_group(parts, context, open,
                  otter_chain_add(store, context, OTTER_NODE_SYNC, open->region, time, time));
        otter_chain_run(store, context, time);
    }
    context->group = open->group;
}

// Ends the wait of a taskgroup. In the fragments view, this wait is the end of the taskgroup.
static void end_group_wait(struct otter_parts *parts, struct otter_context *context, uint64_t start,
                           uint64_t time)
{
    struct otter_store *store = &parts->store;
    if (otter_is_structure(store) || context->group == OTTER_NONE) {
        return;
    }
    struct otter_open_construct *group = &parts->open.items[context->group];
    end_group(parts, context, group,
              otter_chain_add(store, context, OTTER_NODE_SYNC, group->region, start, time));
}

static void end_operation(struct otter_parts *parts, struct otter_context *context,
                          const struct otter_open_construct *open, uint64_t time)
{
    uint64_t start = open->is_interrupted ? time : open->start;
    uint32_t node =
        otter_chain_add(&parts->store, context, OTTER_NODE_OPERATION, open->region, start, time);
    if (open->scope != OTTER_NONE) {
        parts->operations.requests.items[open->scope].node = node;
    }
}

static void end_barrier(struct otter_parts *parts, struct otter_context *context, uint32_t node,
                        enum otter_construct construct)
{
    if (!context->is_base) {
        return;
    }
    otter_join_barrier(&parts->joins, &parts->open, context, node);
    otter_depend_clear(context);
    if (context->member != OTTER_NONE) {
        otter_teams_add_barrier(&parts->teams, &parts->store, context->member, node,
                                construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
                                    construct == OTTER_CONSTRUCT_BARRIER_TEAMS);
    }
}

// The structure view has no node for a test of MPI, since the number of tests depends on timing.
static void end_sync(struct otter_parts *parts, struct otter_context *context,
                     const struct otter_open_construct *open, uint64_t time)
{
    struct otter_store *store = &parts->store;
    if (otter_is_structure(store) &&
        construct_of(parts, open->region) == OTTER_CONSTRUCT_MPI_TEST) {
        return;
    }
    uint32_t node =
        otter_chain_add(store, context, OTTER_NODE_SYNC, open->region, open->start, time);
    if (open->class == OTTER_CLASS_TASKWAIT) {
        otter_join_children(store, &parts->open, context, node);
    } else if (open->class == OTTER_CLASS_BARRIER) {
        end_barrier(parts, context, node, construct_of(parts, open->region));
    }
}

// Stores a `taskwait depend`. The next step decides whether it is a node or the depend clause of a
// new task.
static void defer_wait(struct otter_context *context, const struct otter_open_construct *open,
                       uint64_t time)
{
    context->has_wait = true;
    context->wait_region = open->region;
    context->wait_start = open->start;
    context->wait_end = time;
}

static void leave_top(struct otter_parts *parts, struct otter_context *context, uint64_t time)
{
    struct otter_open_construct open = parts->open.items[--parts->open.n];
    if (!otter_is_wait(open.class)) {
        end_scope(parts, context, &open, time);
        return;
    }
    if (open.class == OTTER_CLASS_TASKGROUP_WAIT) {
        end_group_wait(parts, context, open.start, time);
    } else if (open.class == OTTER_CLASS_TASKWAIT_DEPEND) {
        defer_wait(context, &open, time);
        return;
    } else if (open.class == OTTER_CLASS_OPERATION) {
        end_operation(parts, context, &open, time);
    } else {
        end_sync(parts, context, &open, time);
    }
    otter_open_end_wait(&parts->open, &parts->store, context, time);
}

void otter_construct_leave(struct otter_parts *parts, struct otter_context *context,
                           uint32_t region, uint64_t time)
{
    struct otter_store *store = &parts->store;
    uint32_t i = parts->open.n;
    while (i > context->first_open && parts->open.items[i - 1].region != region) {
        i--;
    }
    store->findings.n_unmatched_leaves += i != parts->open.n || i == context->first_open;
    while (i > context->first_open && parts->open.n >= i) {
        leave_top(parts, context, time);
    }
    otter_open_resume(&parts->open, store, context, time);
}

void otter_construct_flush_wait(struct otter_parts *parts, struct otter_context *context)
{
    struct otter_store *store = &parts->store;
    if (!context->has_wait) {
        return;
    }
    context->has_wait = false;
    uint32_t node = otter_chain_add(store, context, OTTER_NODE_SYNC, context->wait_region,
                                    context->wait_start, context->wait_end);
    struct otter_dependent wait = {
        .index = node, .scope = otter_join_scope_of(&parts->joins, store, &parts->open, context)};
    otter_depend_add(&parts->dependences, store, &parts->joins, context, wait, context->wait_first,
                     context->wait_n);
    context->wait_n = 0;
    otter_open_end_wait(&parts->open, store, context, context->wait_end);
}

void otter_construct_leave_all(struct otter_parts *parts, struct otter_context *context,
                               uint64_t time)
{
    struct otter_store *store = &parts->store;
    uint8_t flags = store->closing_flags;
    store->closing_flags = OTTER_NODE_UNFINISHED;
    while (parts->open.n > context->first_open) {
        leave_top(parts, context, time);
    }
    store->closing_flags = flags;
}
