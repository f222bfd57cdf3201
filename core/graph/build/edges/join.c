// Assigns tasks to join scopes, and adds the edges from tasks to the waits that join them.
#include <string.h>

#include "graph/build/edges/join.h"

static uint32_t make_scope(struct otter_joins *joins, struct otter_store *store,
                           const struct otter_join_scope *scope)
{
    if (!OTTER_VECTOR_RESERVE(&joins->scopes)) {
        store->has_failed = true;
        return 0;
    }
    joins->scopes.items[joins->scopes.n] = *scope;
    return joins->scopes.n++;
}

// *Returns* the join scope of tasks that the task creates outside of its own taskgroups.
static uint32_t task_scope(struct otter_joins *joins, struct otter_store *store,
                           struct otter_context *context)
{
    if (!context->is_base) {
        return OTTER_OF_TASK;
    }
    if (context->phase == OTTER_NONE) {
        context->phase = make_scope(joins, store,
                                    &(struct otter_join_scope){.parent = OTTER_NONE,
                                                               .begin = OTTER_OF_TASK,
                                                               .end = OTTER_NONE,
                                                               .owner = context->task,
                                                               .member = context->member});
    }
    return context->phase;
}

uint32_t otter_join_scope_of(struct otter_joins *joins, struct otter_store *store,
                             const struct otter_open_constructs *open,
                             struct otter_context *context)
{
    return context->group == OTTER_NONE ? task_scope(joins, store, context)
                                        : open->items[context->group].scope;
}

uint32_t otter_join_begin_group(struct otter_joins *joins, struct otter_store *store,
                                const struct otter_open_constructs *open,
                                struct otter_context *context, uint32_t begin)
{
    return make_scope(
        joins, store,
        &(struct otter_join_scope){.parent = otter_join_scope_of(joins, store, open, context),
                                   .begin = begin == OTTER_NONE ? OTTER_OF_TASK : begin,
                                   .end = OTTER_NONE,
                                   .owner = context->task,
                                   .member = OTTER_NONE});
}

// ---- joins

static void join(struct otter_store *store, uint32_t task, uint32_t node)
{
    otter_store_edge(store, task, node, OTTER_EDGE_JOIN | OTTER_FROM_TASK);
    store->tasks.items[task].flags |= OTTER_BUILD_JOINED;
}

static void forget_unjoined(struct otter_open_constructs *open, struct otter_context *context)
{
    context->unjoined = OTTER_NONE;
    for (uint32_t i = context->group; i != OTTER_NONE; i = open->items[i].group) {
        open->items[i].unjoined = OTTER_NONE;
    }
}

void otter_join_children(struct otter_store *store, struct otter_open_constructs *open,
                         struct otter_context *context, uint32_t node)
{
    for (uint32_t child = context->unjoined; child != OTTER_NONE;
         child = store->task_next.items[child]) {
        join(store, child, node);
    }
    forget_unjoined(open, context);
}

void otter_join_barrier(struct otter_joins *joins, struct otter_open_constructs *open,
                        struct otter_context *context, uint32_t node)
{
    if (context->phase != OTTER_NONE) {
        joins->scopes.items[context->phase].end = node;
        context->phase = OTTER_NONE;
    }
    context->phase_begin = node;
    forget_unjoined(open, context);
}

// ---- tasks whose creation was not recorded

// If a task was created during a pause, its creator is unknown. But the task is created and
// executed between the same two barriers.
void otter_join_orphan(struct otter_joins *joins, struct otter_store *store,
                       struct otter_context *base, uint32_t task)
{
    if (!OTTER_VECTOR_RESERVE(&joins->orphans)) {
        store->has_failed = true;
        return;
    }
    if (base->running == OTTER_READY) {
        base->running = OTTER_IDLE; // an edge leaves this node
    }
    joins->orphans.items[joins->orphans.n++] =
        (struct otter_orphan){.task = task,
                              .creator = base->task,
                              .scope = task_scope(joins, store, base),
                              .begin = base->phase_begin};
}

void otter_join_resolve_orphans(const struct otter_joins *joins, struct otter_store *store)
{
    for (uint32_t i = 0; i < joins->orphans.n && !store->has_failed; i++) {
        const struct otter_orphan *orphan = &joins->orphans.items[i];
        struct otter_graph_task *task = &store->tasks.items[orphan->task];
        if (task->creator != OTTER_NONE) {
            continue; // the creation was read later
        }
        store->findings.n_orphans++;
        task->creator = orphan->creator;
        if (task->kind == OTTER_TASK_KIND_UNKNOWN) {
            task->kind = OTTER_TASK_KIND_EXPLICIT;
        }
        store->task_scope.items[orphan->task] = orphan->scope;
        store->nodes.items[orphan->begin].flags |= OTTER_BUILD_CREATED;
        otter_store_edge(store, orphan->begin, task->first_node, OTTER_EDGE_CREATION);
    }
}

// The creator of an internal task of a taskloop waits for the tasks that the internal task created.
// Both are joined by the same node.
void otter_join_resolve_adoptions(const struct otter_joins *joins, struct otter_store *store)
{
    uint32_t n = joins->adoptions.n;
    if (n == 0) {
        return;
    }
    uint32_t *waits = malloc((store->tasks.n + 1) * sizeof *waits);
    if (!waits) {
        store->has_failed = true;
        return;
    }
    memset(waits, 0xff, (store->tasks.n + 1) * sizeof *waits);
    for (uint32_t e = 0; e < store->edge_kind.n; e++) {
        if (store->edge_kind.items[e] == (OTTER_EDGE_JOIN | OTTER_FROM_TASK)) {
            waits[store->edge_from.items[e]] = store->edge_to.items[e];
        }
    }
    bool is_new = true; // the creator of an internal task may also be internal
    for (uint32_t round = 0; is_new && round < 64; round++) {
        is_new = false;
        for (uint32_t i = 0; i < n; i++) {
            const struct otter_adoption *adoption = &joins->adoptions.items[i];
            if (waits[adoption->task] == OTTER_NONE && waits[adoption->creator] != OTTER_NONE) {
                waits[adoption->task] = waits[adoption->creator];
                otter_store_edge(store, adoption->task, waits[adoption->task],
                                 OTTER_EDGE_JOIN | OTTER_FROM_TASK);
                store->tasks.items[adoption->task].flags |= OTTER_BUILD_JOINED;
                is_new = true;
            }
        }
    }
    free(waits);
}
