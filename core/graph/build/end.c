// Resolves ends of tasks: fulfilments of detached tasks, and the nodes of edges that leave a task's
// end.
#include <string.h>

#include "graph/build/internal.h"

// *Returns* n times OTTER_NONE, or NULL when memory is short.
static uint32_t *make_list(struct otter_builder *builder, size_t n)
{
    uint32_t *list = malloc((n + 1) * sizeof *list);
    if (list) {
        memset(list, 0xff, (n + 1) * sizeof *list);
    }
    builder->has_failed |= !list;
    return list;
}

// ---- detached tasks

static uint32_t fulfil_of(const struct otter_builder *builder, uint32_t task)
{
    return builder->fulfils ? builder->fulfils[task] : OTTER_NONE;
}

static bool is_of_detached(const struct otter_builder *builder,
                           const struct otter_fulfilment *fulfilment)
{
    return builder->tasks.items[fulfilment->task].flags & OTTER_NODE_DETACHED;
}

static uint32_t make_fulfil(struct otter_builder *builder, const uint32_t *alias,
                            const struct otter_fulfilment *fulfilment)
{
    const struct otter_graph_task *task = &builder->tasks.items[fulfilment->task];
    const struct otter_node *first = &builder->nodes.items[task->first_node];
    const struct otter_node *last = &builder->nodes.items[alias[task->last_node]];
    uint64_t body_end = first->end > last->end ? first->end : last->end;
    uint64_t time = body_end > fulfilment->time ? body_end : fulfilment->time;
    uint32_t region = first->region;
    return otter_build_node(builder, &(struct otter_node){.start = time,
                                                          .end = time,
                                                          .task = fulfilment->task,
                                                          .scope = OTTER_OF_TASK,
                                                          .region = region,
                                                          .location = fulfilment->location,
                                                          .kind = OTTER_NODE_FULFIL});
}

static void end_at_fulfilment(struct otter_builder *builder, uint32_t *alias,
                              const struct otter_fulfilment *fulfilment)
{
    uint32_t node = make_fulfil(builder, alias, fulfilment);
    if (builder->has_failed) {
        return;
    }
    alias[node] = node;
    builder->fulfils[fulfilment->task] = node;
    otter_build_edge(builder, fulfilment->task, node, OTTER_EDGE_ORDER | OTTER_FROM_BODY);
    if (fulfilment->by != OTTER_NONE) {
        otter_build_edge(builder, fulfilment->by, node, OTTER_EDGE_FULFIL);
        builder->nodes.items[fulfilment->by].flags |= OTTER_BUILD_LEFT;
    }
    if (fulfilment->undeferred != OTTER_NONE && fulfilment->by != OTTER_NONE) {
        otter_build_edge(builder, fulfilment->undeferred, node,
                         OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
    builder->findings.n_unknown_fulfillers += fulfilment->is_by_nobody;
}

// Extends a task without an event whose end was recorded on another location.
static void end_elsewhere(struct otter_builder *builder, const struct otter_fulfilment *fulfilment)
{
    struct otter_node *node =
        &builder->nodes.items[builder->tasks.items[fulfilment->task].first_node];
    if (otter_is_structure(builder) && fulfilment->time > node->end) {
        node->end = fulfilment->time;
    }
}

void otter_build_fulfilments(struct otter_builder *builder, uint32_t *alias)
{
    if (builder->fulfilments.n == 0) {
        return;
    }
    builder->fulfils = make_list(builder, builder->tasks.n);
    for (uint32_t i = 0; i < builder->fulfilments.n && !builder->has_failed; i++) {
        const struct otter_fulfilment *fulfilment = &builder->fulfilments.items[i];
        if (!is_of_detached(builder, fulfilment)) {
            end_elsewhere(builder, fulfilment);
        } else if (builder->fulfils[fulfilment->task] == OTTER_NONE) {
            end_at_fulfilment(builder, alias, fulfilment);
        }
    }
}

// ---- tasks that end with an undeferred child

enum { MAX_TAILS = 64 };

// If a task's body ends with an undeferred child, the edges that leave the body's end also leave
// the child's end. The child may end with such a child, too. The limit bounds the edges of tail
// recursion; the flag `undeferred` orders deeper children.
static void copy_to_tails(struct otter_builder *builder, const uint32_t *tails, uint32_t edge)
{
    uint32_t child = tails[builder->edge_from.items[edge]];
    for (int n = 0; n < MAX_TAILS && child != OTTER_NONE; n++, child = tails[child]) {
        otter_build_edge(builder, child, builder->edge_to.items[edge],
                         OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
}

// *Returns* whether the edge leaves a detached task. Its fulfilment follows the end of its body.
static bool is_detached_at(const struct otter_builder *builder, uint32_t edge)
{
    return fulfil_of(builder, builder->edge_from.items[edge]) != OTTER_NONE;
}

void otter_build_tails(struct otter_builder *builder)
{
    if (builder->tails.n == 0) {
        return;
    }
    uint32_t *tails = make_list(builder, builder->tasks.n);
    for (uint32_t i = 0; tails && i < builder->tails.n; i++) {
        tails[builder->tails.items[i].task] = builder->tails.items[i].child;
    }
    uint32_t n_edges = builder->edge_kind.n;
    for (uint32_t e = 0; tails && e < n_edges && !builder->has_failed; e++) {
        uint8_t kind = builder->edge_kind.items[e];
        bool is_of_body =
            (kind & OTTER_FROM_BODY) || ((kind & OTTER_FROM_TASK) && !is_detached_at(builder, e));
        if (is_of_body) {
            copy_to_tails(builder, tails, e);
        }
    }
    free(tails);
}

// ---- completions

// An edge of kind `order` would leave the start of a task's node.
static uint8_t kind_at_end(enum otter_edge_kind kind)
{
    return kind == OTTER_EDGE_ORDER ? OTTER_EDGE_JOIN : (uint8_t)kind;
}

// In the structure view a task's own node ends with the body, later than the last node of the
// chain.
static void leave_body(struct otter_builder *builder, uint32_t edge, enum otter_edge_kind kind)
{
    const struct otter_graph_task *task = &builder->tasks.items[builder->edge_from.items[edge]];
    uint32_t first = task->first_node, last = task->last_node;
    bool is_alone = first == last && otter_is_structure(builder);
    builder->edge_from.items[edge] = last;
    builder->edge_kind.items[edge] = is_alone ? kind_at_end(kind) : (uint8_t)kind;
    if (first != last && otter_is_structure(builder)) {
        otter_build_edge(builder, first, builder->edge_to.items[edge], kind_at_end(kind));
    }
}

void otter_build_completions(struct otter_builder *builder)
{
    uint32_t n_edges = builder->edge_kind.n;
    for (uint32_t e = 0; e < n_edges; e++) {
        uint8_t from = builder->edge_kind.items[e] & (OTTER_FROM_TASK | OTTER_FROM_BODY);
        uint32_t kind = builder->edge_kind.items[e] ^ from;
        uint32_t fulfil =
            from == OTTER_FROM_TASK ? fulfil_of(builder, builder->edge_from.items[e]) : OTTER_NONE;
        if (fulfil != OTTER_NONE) {
            builder->edge_from.items[e] = fulfil;
            builder->edge_kind.items[e] = (uint8_t)kind;
        } else if (from) {
            leave_body(builder, e, kind);
        }
    }
    for (uint32_t i = 0; builder->fulfils && i < builder->tasks.n; i++) {
        if (builder->fulfils[i] != OTTER_NONE) {
            builder->tasks.items[i].last_node = builder->fulfils[i];
        }
    }
}
