// Assigns tasks to join scopes, and adds the edges from tasks to the waits that join them.
#include <string.h>

#include "graph/build/chain.h"

static uint32_t make_scope(struct otter_builder *builder, const struct otter_join_scope *scope)
{
    if (!OTTER_VECTOR_RESERVE(&builder->scopes)) {
        builder->has_failed = true;
        return 0;
    }
    builder->scopes.items[builder->scopes.n] = *scope;
    return builder->scopes.n++;
}

// *Returns* the join scope of tasks that the task creates outside of its own taskgroups.
static uint32_t task_scope(struct otter_builder *builder, struct otter_context *context)
{
    if (!context->is_base) {
        return OTTER_OF_TASK;
    }
    if (context->phase == OTTER_NONE) {
        context->phase = make_scope(builder, &(struct otter_join_scope){.parent = OTTER_NONE,
                                                                        .begin = OTTER_OF_TASK,
                                                                        .end = OTTER_NONE,
                                                                        .owner = context->task,
                                                                        .member = context->member});
    }
    return context->phase;
}

uint32_t otter_join_scope_of(struct otter_builder *builder, struct otter_context *context)
{
    return context->group == OTTER_NONE ? task_scope(builder, context)
                                        : builder->open.items[context->group].scope;
}

uint32_t otter_join_begin_group(struct otter_builder *builder, struct otter_context *context,
                                uint32_t begin)
{
    return make_scope(
        builder, &(struct otter_join_scope){.parent = otter_join_scope_of(builder, context),
                                            .begin = begin == OTTER_NONE ? OTTER_OF_TASK : begin,
                                            .end = OTTER_NONE,
                                            .owner = context->task,
                                            .member = OTTER_NONE});
}

// ---- joins

static void join(struct otter_builder *builder, uint32_t task, uint32_t node)
{
    otter_build_edge(builder, task, node, OTTER_EDGE_JOIN | OTTER_FROM_TASK);
    builder->tasks.items[task].flags |= OTTER_BUILD_JOINED;
}

static void forget_unjoined(struct otter_builder *builder, struct otter_context *context)
{
    context->unjoined = OTTER_NONE;
    for (uint32_t i = context->group; i != OTTER_NONE; i = builder->open.items[i].group) {
        builder->open.items[i].unjoined = OTTER_NONE;
    }
}

void otter_join_children(struct otter_builder *builder, struct otter_context *context,
                         uint32_t node)
{
    for (uint32_t child = context->unjoined; child != OTTER_NONE;
         child = builder->task_next.items[child]) {
        join(builder, child, node);
    }
    forget_unjoined(builder, context);
}

static void add_barrier(struct otter_builder *builder, struct otter_context *context, uint32_t node,
                        bool is_join)
{
    if (!OTTER_VECTOR_RESERVE(&builder->barriers)) {
        builder->has_failed = true;
        return;
    }
    uint32_t barrier = builder->barriers.n++;
    struct otter_member *member = &builder->members.items[context->member];
    builder->barriers.items[barrier] = (struct otter_barrier){
        .node = node, .next = OTTER_NONE, .ordinal = member->n_barriers++, .is_join = is_join};
    if (member->first_barrier == OTTER_NONE) {
        member->first_barrier = barrier;
    } else {
        builder->barriers.items[member->last_barrier].next = barrier;
    }
    member->last_barrier = barrier;
}

void otter_join_barrier(struct otter_builder *builder, struct otter_context *context, uint32_t node,
                        enum otter_construct construct)
{
    if (!context->is_base) {
        return;
    }
    if (context->phase != OTTER_NONE) {
        builder->scopes.items[context->phase].end = node;
        context->phase = OTTER_NONE;
    }
    context->phase_begin = node;
    forget_unjoined(builder, context);
    otter_depend_clear(context);
    if (context->member != OTTER_NONE) {
        add_barrier(builder, context, node,
                    construct == OTTER_CONSTRUCT_BARRIER_PARALLEL ||
                        construct == OTTER_CONSTRUCT_BARRIER_TEAMS);
    }
}

// ---- tasks whose creation was not recorded

// The creator of a task of a pause is unknown. It was created between the same two barriers as
// its execution.
void otter_build_orphan(struct otter_builder *builder, struct otter_context *base, uint32_t task)
{
    if (!OTTER_VECTOR_RESERVE(&builder->orphans)) {
        builder->has_failed = true;
        return;
    }
    if (base->running == OTTER_READY) {
        base->running = OTTER_IDLE; // an edge leaves this node
    }
    builder->orphans.items[builder->orphans.n++] =
        (struct otter_orphan){.task = task,
                              .creator = base->task,
                              .scope = task_scope(builder, base),
                              .begin = base->phase_begin};
}

void otter_build_adopt_orphans(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->orphans.n && !builder->has_failed; i++) {
        const struct otter_orphan *orphan = &builder->orphans.items[i];
        struct otter_graph_task *task = &builder->tasks.items[orphan->task];
        if (task->creator != OTTER_NONE) {
            continue; // its creation was read later
        }
        builder->findings.n_orphans++;
        task->creator = orphan->creator;
        if (task->kind == OTTER_TASK_KIND_UNKNOWN) {
            task->kind = OTTER_TASK_KIND_EXPLICIT;
        }
        builder->task_scope.items[orphan->task] = orphan->scope;
        builder->nodes.items[orphan->begin].flags |= OTTER_BUILD_CREATED;
        otter_build_edge(builder, orphan->begin, task->first_node, OTTER_EDGE_CREATION);
    }
}

// The creator of an internal task of a taskloop waits for the tasks that the internal task created.
// Both are joined by the same node.
void otter_build_join_adopted(struct otter_builder *builder)
{
    uint32_t n = builder->adoptions.n;
    if (n == 0) {
        return;
    }
    uint32_t *joins = malloc((builder->tasks.n + 1) * sizeof *joins);
    if (!joins) {
        builder->has_failed = true;
        return;
    }
    memset(joins, 0xff, (builder->tasks.n + 1) * sizeof *joins);
    for (uint32_t e = 0; e < builder->edge_kind.n; e++) {
        if (builder->edge_kind.items[e] == (OTTER_EDGE_JOIN | OTTER_FROM_TASK)) {
            joins[builder->edge_from.items[e]] = builder->edge_to.items[e];
        }
    }
    bool is_new = true; // the creator of an internal task may be internal, too
    for (uint32_t round = 0; is_new && round < 64; round++) {
        is_new = false;
        for (uint32_t i = 0; i < n; i++) {
            const struct otter_adoption *adoption = &builder->adoptions.items[i];
            if (joins[adoption->task] == OTTER_NONE && joins[adoption->creator] != OTTER_NONE) {
                joins[adoption->task] = joins[adoption->creator];
                otter_build_edge(builder, adoption->task, joins[adoption->task],
                                 OTTER_EDGE_JOIN | OTTER_FROM_TASK);
                builder->tasks.items[adoption->task].flags |= OTTER_BUILD_JOINED;
                is_new = true;
            }
        }
    }
    free(joins);
}
