// Assigns a scope to each node, and joins the tasks that only the end of a scope waits for.
#include "graph/build/scope.h"

// *Returns* the join scope of the task; for OTTER_OF_TASK, its creator's.
static uint32_t scope_of(const struct otter_store *store, uint32_t task)
{
    uint32_t n = 0; // bounds the walk: in a damaged archive, creators may form a cycle
    while (task != OTTER_NONE && store->task_scope.items[task] == OTTER_OF_TASK &&
           n++ < store->tasks.n) {
        task = store->tasks.items[task].creator;
    }
    return task == OTTER_NONE ? OTTER_NONE : store->task_scope.items[task];
}

// Replaces OTTER_OF_TASK by the join scope of the creator.
static void resolve_scopes(struct otter_store *store)
{
    uint32_t *scopes = store->task_scope.items;
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        uint32_t scope = scope_of(store, i);
        scope = scope == OTTER_OF_TASK ? OTTER_NONE : scope;
        for (uint32_t task = i; task != OTTER_NONE && scopes[task] == OTTER_OF_TASK;
             task = store->tasks.items[task].creator) {
            scopes[task] = scope;
        }
    }
}

// *Returns* the member whose region waits for the tasks created in `scope`, or OTTER_NONE.
static uint32_t waiting_member(const struct otter_joins *joins, const struct otter_store *store,
                               uint32_t scope)
{
    for (uint32_t n = 0; scope < joins->scopes.n && n <= joins->scopes.n; n++) {
        const struct otter_join_scope *waiting = &joins->scopes.items[scope];
        if (waiting->end != OTTER_NONE || waiting->member != OTTER_NONE) {
            return waiting->end == OTTER_NONE ? waiting->member : OTTER_NONE;
        }
        scope =
            waiting->parent == OTTER_OF_TASK ? scope_of(store, waiting->owner) : waiting->parent;
    }
    return OTTER_NONE;
}

void otter_scopes_find_detached(const struct otter_joins *joins, const struct otter_store *store,
                                struct otter_teams *teams)
{
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        uint8_t flags = store->tasks.items[i].flags;
        bool is_last = (flags & OTTER_NODE_DETACHED) && !(flags & OTTER_BUILD_JOINED);
        uint32_t member = is_last ? waiting_member(joins, store, scope_of(store, i)) : OTTER_NONE;
        if (member != OTTER_NONE) {
            teams->members.items[member].has_detached = true;
        }
    }
}

// *Returns* the join scope around `scope`.
static uint32_t parent_of(const struct otter_joins *joins, const struct otter_store *store,
                          uint32_t scope)
{
    const struct otter_join_scope *inner = &joins->scopes.items[scope];
    return inner->parent == OTTER_OF_TASK ? store->task_scope.items[inner->owner] : inner->parent;
}

// *Returns* the node that waits for the tasks created in `scope`, or OTTER_NONE.
static uint32_t end_of(const struct otter_joins *joins, const struct otter_store *store,
                       const struct otter_teams *teams, uint32_t scope)
{
    for (uint32_t n = 0; scope < joins->scopes.n && n <= joins->scopes.n; n++) {
        const struct otter_join_scope *waiting = &joins->scopes.items[scope];
        if (waiting->end != OTTER_NONE) {
            return waiting->end;
        }
        if (waiting->member != OTTER_NONE) {
            uint32_t fork = teams->members.items[waiting->member].fork;
            return fork == OTTER_NONE ? OTTER_NONE : teams->forks.items[fork].join;
        }
        scope = parent_of(joins, store, scope);
    }
    return OTTER_NONE;
}

static uint32_t find_begin(const struct otter_joins *joins, const struct otter_store *store,
                           uint32_t scope)
{
    for (uint32_t n = 0; scope < joins->scopes.n && n <= joins->scopes.n; n++) {
        const struct otter_join_scope *waiting = &joins->scopes.items[scope];
        if (waiting->begin != OTTER_OF_TASK) {
            return waiting->begin;
        }
        if (waiting->parent == OTTER_NONE) {
            bool is_of_team = waiting->member != OTTER_NONE;
            return is_of_team ? store->task_scope.items[waiting->owner] : OTTER_NONE;
        }
        scope = parent_of(joins, store, scope);
    }
    return OTTER_NONE;
}

// *Returns* the node that begins `scope`, or the nearest scope around it that has a begin node in
// this view; or OTTER_NONE.
static uint32_t begin_of(struct otter_joins *joins, struct otter_store *store, uint32_t scope)
{
    uint32_t begin = find_begin(joins, store, scope);
    while (scope < joins->scopes.n && joins->scopes.items[scope].begin == OTTER_OF_TASK) {
        joins->scopes.items[scope].begin = begin; // so that the next call stops here
        scope = parent_of(joins, store, scope);
    }
    return begin;
}

// Joins the tasks whose completion has no successor inside their join scope. A task's children do
// not count as successors, since they depend only on their creation.
static void join_last_tasks(struct otter_joins *joins, struct otter_store *store,
                            const struct otter_teams *teams)
{
    for (uint32_t i = 0; i < store->tasks.n; i++) {
        const struct otter_graph_task *task = &store->tasks.items[i];
        if (task->kind <= OTTER_TASK_KIND_IMPLICIT || (task->flags & OTTER_BUILD_JOINED)) {
            continue;
        }
        uint32_t end = end_of(joins, store, teams, store->task_scope.items[i]);
        if (end != OTTER_NONE) {
            otter_store_edge(store, i, end, OTTER_EDGE_JOIN | OTTER_FROM_TASK);
        }
    }
}

static void place_nodes(struct otter_joins *joins, struct otter_store *store)
{
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        struct otter_node *node = &store->nodes.items[i];
        if (node->scope != OTTER_OF_TASK) {
            continue;
        }
        uint32_t scope = store->task_scope.items[node->task];
        uint8_t kind = store->tasks.items[node->task].kind;
        bool is_of_team = kind == OTTER_TASK_KIND_IMPLICIT || kind == OTTER_TASK_KIND_INITIAL;
        node->scope = is_of_team ? scope : begin_of(joins, store, scope);
    }
}

// Scopes in a damaged archive may form a cycle. `seen` has a byte for each node.
static void cut_circles(struct otter_store *store, uint8_t *seen)
{
    enum { UNSEEN = 0, ON_THE_WAY, DONE };
    struct otter_node *nodes = store->nodes.items;
    for (uint32_t i = 0; i < store->nodes.n; i++) {
        uint32_t node = i;
        while (node != OTTER_NONE && seen[node] == UNSEEN) {
            seen[node] = ON_THE_WAY;
            uint32_t around = nodes[node].scope;
            if (around != OTTER_NONE && seen[around] == ON_THE_WAY) {
                nodes[node].scope = OTTER_NONE;
            }
            node = nodes[node].scope;
        }
        for (node = i; node != OTTER_NONE && seen[node] == ON_THE_WAY; node = nodes[node].scope) {
            seen[node] = DONE;
        }
    }
}

static void place_all(struct otter_joins *joins, struct otter_store *store)
{
    uint8_t *seen = calloc(store->nodes.n + (size_t)1, 1);
    if (!seen) {
        store->has_failed = true;
        return;
    }
    place_nodes(joins, store);
    cut_circles(store, seen);
    free(seen);
}

void otter_scopes_build(struct otter_joins *joins, struct otter_store *store,
                        const struct otter_teams *teams)
{
    resolve_scopes(store);
    join_last_tasks(joins, store, teams);
    place_all(joins, store);
}
