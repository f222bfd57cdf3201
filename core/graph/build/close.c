// Adds the edges and scopes that depend on all locations, after the teams are known.
#include <string.h>

#include "graph/build/internal.h"

// ---- doacross loops

static int compare_points(const void *a, const void *b)
{
    const struct otter_doacross *left = a, *right = b;
    if (left->team != right->team) {
        return left->team < right->team ? -1 : 1;
    }
    if (left->loop != right->loop) {
        return left->loop < right->loop ? -1 : 1;
    }
    if (left->iteration != right->iteration) {
        return left->iteration < right->iteration ? -1 : 1;
    }
    return (int)right->is_source - (int)left->is_source;
}

static bool is_same_iteration(const struct otter_doacross *a, const struct otter_doacross *b)
{
    return a->team == b->team && a->loop == b->loop && a->iteration == b->iteration;
}

static void link_iterations(struct otter_builder *builder)
{
    struct otter_doacross *points = builder->doacross.items;
    uint32_t n = builder->doacross.n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t member = points[i].member;
        points[i].team = member == OTTER_NONE ? OTTER_NONE : builder->members.items[member].fork;
    }
    if (n > 0) {
        qsort(points, n, sizeof *points, compare_points);
    }
    for (uint32_t i = 1, source = 0; i < n; i++) {
        if (points[i].is_source) {
            source = i;
        } else if (points[source].is_source && is_same_iteration(&points[source], &points[i])) {
            otter_build_edge(builder, points[source].node, points[i].node, OTTER_EDGE_DOACROSS);
        }
    }
}

// ---- taskloops: tasks created by an internal task are joined where the internal task is joined

static void join_adopted(struct otter_builder *builder)
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

// ---- join scopes

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
    link_iterations(builder);
    join_adopted(builder);
    otter_build_tails(builder);
    resolve_scopes(builder);
    join_last_tasks(builder);
    place_all(builder);
    otter_build_completions(builder);
    return otter_build_arrays(builder, alias);
}
