// Resolves ends of tasks: fulfilments of detached tasks, and the nodes of edges that leave a task's
// end.
#include <string.h>

#include "graph/build/edges/end.h"

// *Returns* an array of n entries that are OTTER_NONE, or NULL if out of memory.
static uint32_t *make_list(struct otter_store *store, size_t n)
{
    uint32_t *list = malloc((n + 1) * sizeof *list);
    if (list) {
        memset(list, 0xff, (n + 1) * sizeof *list);
    }
    store->has_failed |= !list;
    return list;
}

// ---- detached tasks

static uint32_t fulfil_of(const struct otter_ends *ends, uint32_t task)
{
    return ends->fulfils ? ends->fulfils[task] : OTTER_NONE;
}

static bool is_of_detached(const struct otter_store *store,
                           const struct otter_fulfilment *fulfilment)
{
    return store->tasks.items[fulfilment->task].flags & OTTER_NODE_DETACHED;
}

static uint32_t make_fulfil(struct otter_store *store, const uint32_t *alias,
                            const struct otter_fulfilment *fulfilment)
{
    const struct otter_graph_task *task = &store->tasks.items[fulfilment->task];
    const struct otter_node *first = &store->nodes.items[task->first_node];
    const struct otter_node *last = &store->nodes.items[alias[task->last_node]];
    uint64_t body_end = first->end > last->end ? first->end : last->end;
    uint64_t time = body_end > fulfilment->time ? body_end : fulfilment->time;
    uint32_t region = first->region;
    return otter_store_node(store, &(struct otter_node){.start = time,
                                                        .end = time,
                                                        .task = fulfilment->task,
                                                        .scope = OTTER_OF_TASK,
                                                        .region = region,
                                                        .location = fulfilment->location,
                                                        .kind = OTTER_NODE_FULFIL});
}

static void end_at_fulfilment(struct otter_ends *ends, struct otter_store *store, uint32_t *alias,
                              const struct otter_fulfilment *fulfilment)
{
    uint32_t node = make_fulfil(store, alias, fulfilment);
    if (store->has_failed) {
        return;
    }
    alias[node] = node;
    ends->fulfils[fulfilment->task] = node;
    otter_store_edge(store, fulfilment->task, node, OTTER_EDGE_ORDER | OTTER_FROM_BODY);
    if (fulfilment->by != OTTER_NONE) {
        otter_store_edge(store, fulfilment->by, node, OTTER_EDGE_FULFIL);
        store->nodes.items[fulfilment->by].flags |= OTTER_BUILD_LEFT;
    }
    if (fulfilment->undeferred != OTTER_NONE && fulfilment->by != OTTER_NONE) {
        otter_store_edge(store, fulfilment->undeferred, node,
                         OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
    store->findings.n_unknown_fulfillers += fulfilment->is_by_nobody;
}

// Extends a task that is not detached but whose end was recorded on another location.
static void end_elsewhere(struct otter_store *store, const struct otter_fulfilment *fulfilment)
{
    struct otter_node *node = &store->nodes.items[store->tasks.items[fulfilment->task].first_node];
    if (otter_is_structure(store) && fulfilment->time > node->end) {
        node->end = fulfilment->time;
    }
}

void otter_ends_fulfil(struct otter_ends *ends, struct otter_store *store, uint32_t *alias)
{
    if (ends->fulfilments.n == 0) {
        return;
    }
    ends->fulfils = make_list(store, store->tasks.n);
    for (uint32_t i = 0; i < ends->fulfilments.n && !store->has_failed; i++) {
        const struct otter_fulfilment *fulfilment = &ends->fulfilments.items[i];
        if (!is_of_detached(store, fulfilment)) {
            end_elsewhere(store, fulfilment);
        } else if (ends->fulfils[fulfilment->task] == OTTER_NONE) {
            end_at_fulfilment(ends, store, alias, fulfilment);
        }
    }
}

// ---- tasks that end with an undeferred child

enum { MAX_TAILS = 64 };

// If a task's body ends with an undeferred child, the edges that leave the body's end also leave
// the child's end. The child may itself end with such a child. The limit bounds the edges of tail
// recursion; the flag `undeferred` orders deeper children.
static void copy_to_tails(struct otter_store *store, const uint32_t *tails, uint32_t edge)
{
    uint32_t child = tails[store->edge_from.items[edge]];
    for (int n = 0; n < MAX_TAILS && child != OTTER_NONE; n++, child = tails[child]) {
        otter_store_edge(store, child, store->edge_to.items[edge],
                         OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
}

// *Returns* whether the edge leaves a detached task, which is complete only when its event is
// fulfilled.
static bool is_detached_at(const struct otter_ends *ends, const struct otter_store *store,
                           uint32_t edge)
{
    return fulfil_of(ends, store->edge_from.items[edge]) != OTTER_NONE;
}

void otter_ends_copy_tails(const struct otter_ends *ends, struct otter_store *store)
{
    if (ends->tails.n == 0) {
        return;
    }
    uint32_t *tails = make_list(store, store->tasks.n);
    for (uint32_t i = 0; tails && i < ends->tails.n; i++) {
        tails[ends->tails.items[i].task] = ends->tails.items[i].child;
    }
    uint32_t n_edges = store->edge_kind.n;
    for (uint32_t e = 0; tails && e < n_edges && !store->has_failed; e++) {
        uint8_t kind = store->edge_kind.items[e];
        bool is_of_body = (kind & OTTER_FROM_BODY) ||
                          ((kind & OTTER_FROM_TASK) && !is_detached_at(ends, store, e));
        if (is_of_body) {
            copy_to_tails(store, tails, e);
        }
    }
    free(tails);
}

// ---- completions

// Returns the kind for an edge that leaves a task's node at its end: `order` would leave at the
// start.
static uint8_t kind_at_end(enum otter_edge_kind kind)
{
    return kind == OTTER_EDGE_ORDER ? OTTER_EDGE_JOIN : (uint8_t)kind;
}

// Lets an edge leave the end of the body. In the structure view, a task's own node ends with the
// body, later than the last node of the chain.
static void leave_body(struct otter_store *store, uint32_t edge, enum otter_edge_kind kind)
{
    const struct otter_graph_task *task = &store->tasks.items[store->edge_from.items[edge]];
    uint32_t first = task->first_node, last = task->last_node;
    bool is_alone = first == last && otter_is_structure(store);
    store->edge_from.items[edge] = last;
    store->edge_kind.items[edge] = is_alone ? kind_at_end(kind) : (uint8_t)kind;
    if (first != last && otter_is_structure(store)) {
        otter_store_edge(store, first, store->edge_to.items[edge], kind_at_end(kind));
    }
}

void otter_ends_complete(const struct otter_ends *ends, struct otter_store *store)
{
    uint32_t n_edges = store->edge_kind.n;
    for (uint32_t e = 0; e < n_edges; e++) {
        uint8_t from = store->edge_kind.items[e] & (OTTER_FROM_TASK | OTTER_FROM_BODY);
        uint32_t kind = store->edge_kind.items[e] ^ from;
        uint32_t fulfil =
            from == OTTER_FROM_TASK ? fulfil_of(ends, store->edge_from.items[e]) : OTTER_NONE;
        if (fulfil != OTTER_NONE) {
            store->edge_from.items[e] = fulfil;
            store->edge_kind.items[e] = (uint8_t)kind;
        } else if (from) {
            leave_body(store, e, kind);
        }
    }
    for (uint32_t i = 0; ends->fulfils && i < store->tasks.n; i++) {
        if (ends->fulfils[i] != OTTER_NONE) {
            store->tasks.items[i].last_node = ends->fulfils[i];
        }
    }
}
