// Adds the edges and scopes that depend on all locations, after the teams are known.
#include "graph/build/internal.h"

// Replaces OTTER_OF_TASK by the join scope of the creator.
static void resolve_scopes(struct otter_builder *builder)
{
    uint32_t *scopes = builder->task_scope.items;
    for (uint32_t i = 0; i < builder->tasks.n; i++) {
        uint32_t task = i;
        uint32_t n = 0; // creators in a damaged archive may form a cycle
        while (task != OTTER_NONE && scopes[task] == OTTER_OF_TASK && n++ < builder->tasks.n) {
            task = builder->tasks.items[task].creator;
        }
        uint32_t scope =
            task == OTTER_NONE || scopes[task] == OTTER_OF_TASK ? OTTER_NONE : scopes[task];
        for (task = i; task != OTTER_NONE && scopes[task] == OTTER_OF_TASK;
             task = builder->tasks.items[task].creator) {
            scopes[task] = scope;
        }
    }
}

// *Returns* the join scope around `scope`.
static uint32_t parent_of(const struct otter_builder *builder, uint32_t scope)
{
    const struct otter_join_scope *inner = &builder->scopes.items[scope];
    return inner->parent == OTTER_OF_TASK ? builder->task_scope.items[inner->owner] : inner->parent;
}

// *Returns* the node that waits for the tasks created in `scope`, or OTTER_NONE.
static uint32_t end_of(const struct otter_builder *builder, uint32_t scope)
{
    for (uint32_t n = 0; scope < builder->scopes.n && n <= builder->scopes.n; n++) {
        const struct otter_join_scope *waiting = &builder->scopes.items[scope];
        if (waiting->end != OTTER_NONE) {
            return waiting->end;
        }
        if (waiting->member != OTTER_NONE) {
            uint32_t fork = builder->members.items[waiting->member].fork;
            return fork == OTTER_NONE ? OTTER_NONE : builder->forks.items[fork].join;
        }
        scope = parent_of(builder, scope);
    }
    return OTTER_NONE;
}

static uint32_t find_begin(const struct otter_builder *builder, uint32_t scope)
{
    for (uint32_t n = 0; scope < builder->scopes.n && n <= builder->scopes.n; n++) {
        const struct otter_join_scope *waiting = &builder->scopes.items[scope];
        if (waiting->begin != OTTER_OF_TASK) {
            return waiting->begin;
        }
        if (waiting->parent == OTTER_NONE) {
            bool is_of_team = waiting->member != OTTER_NONE;
            return is_of_team ? builder->task_scope.items[waiting->owner] : OTTER_NONE;
        }
        scope = parent_of(builder, scope);
    }
    return OTTER_NONE;
}

// *Returns* the node that begins `scope`, or the nearest scope around it that has a begin node in
// this view; or OTTER_NONE.
static uint32_t begin_of(struct otter_builder *builder, uint32_t scope)
{
    uint32_t begin = find_begin(builder, scope);
    while (scope < builder->scopes.n && builder->scopes.items[scope].begin == OTTER_OF_TASK) {
        builder->scopes.items[scope].begin = begin; // the next call stops here
        scope = parent_of(builder, scope);
    }
    return begin;
}

// Joins the tasks whose completion has no successor inside their join scope. A task's children
// depend on their creation, not on the completion of the task.
static void join_last_tasks(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->tasks.n; i++) {
        const struct otter_graph_task *task = &builder->tasks.items[i];
        if (task->kind <= OTTER_TASK_KIND_IMPLICIT || (task->flags & OTTER_BUILD_JOINED)) {
            continue;
        }
        uint32_t end = end_of(builder, builder->task_scope.items[i]);
        if (end != OTTER_NONE) {
            otter_build_edge(builder, i, end, OTTER_EDGE_JOIN | OTTER_FROM_TASK);
        }
    }
}

static void place_nodes(struct otter_builder *builder)
{
    for (uint32_t i = 0; i < builder->nodes.n; i++) {
        struct otter_node *node = &builder->nodes.items[i];
        if (node->scope != OTTER_OF_TASK) {
            continue;
        }
        uint32_t scope = builder->task_scope.items[node->task];
        uint8_t kind = builder->tasks.items[node->task].kind;
        bool is_of_team = kind == OTTER_TASK_KIND_IMPLICIT || kind == OTTER_TASK_KIND_INITIAL;
        node->scope = is_of_team ? scope : begin_of(builder, scope);
    }
}

// Scopes in a damaged archive may form a cycle. `seen` has a byte for each node.
static void cut_circles(struct otter_builder *builder, uint8_t *seen)
{
    enum { UNSEEN = 0, ON_THE_WAY, DONE };
    struct otter_node *nodes = builder->nodes.items;
    for (uint32_t i = 0; i < builder->nodes.n; i++) {
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

static void place_all(struct otter_builder *builder)
{
    uint8_t *seen = calloc(builder->nodes.n + (size_t)1, 1);
    if (!seen) {
        builder->has_failed = true;
        return;
    }
    place_nodes(builder);
    cut_circles(builder, seen);
    free(seen);
}

struct otter_graph *otter_build_close(struct otter_builder *builder, uint32_t *alias)
{
    otter_build_fulfilments(builder, alias);
    if (builder->has_failed) {
        free(alias);
        return NULL;
    }
    otter_build_link_iterations(builder);
    otter_build_join_adopted(builder);
    otter_build_tails(builder);
    resolve_scopes(builder);
    join_last_tasks(builder);
    place_all(builder);
    otter_build_completions(builder);
    return otter_build_arrays(builder, alias);
}
