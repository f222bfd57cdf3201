// Appends nodes to the chain of a task, and begins and ends its fragments.
#include "graph/build/edges/chain.h"

void otter_context_init(struct otter_context *context, uint32_t task, uint32_t position)
{
    *context = (struct otter_context){
        .task = task,
        .position = position,
        .phase_begin = position,
        .unjoined = OTTER_NONE,
        .undeferred = OTTER_NONE,
        .member = OTTER_NONE,
        .phase = OTTER_NONE,
        .scope = OTTER_OF_TASK,
        .group = OTTER_NONE,
        .running = OTTER_READY,
    };
}

static struct otter_graph_task *task_of(struct otter_store *store,
                                        const struct otter_context *context)
{
    return &store->tasks.items[context->task];
}

// A wait still joins the undeferred child, so the child also has the edges of a deferred task.
void otter_chain_undeferred(struct otter_store *store, const struct otter_context *context,
                            uint32_t node)
{
    if (context->undeferred != OTTER_NONE) {
        otter_store_edge(store, context->undeferred, node, OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
}

void otter_chain_append(struct otter_store *store, struct otter_context *context, uint32_t node)
{
    otter_chain_undeferred(store, context, node);
    context->undeferred = OTTER_NONE;
    context->position = node;
    task_of(store, context)->last_node = node;
}

uint32_t otter_chain_make(struct otter_store *store, const struct otter_context *context,
                          enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end)
{
    return otter_store_node(store, &(struct otter_node){.start = start,
                                                        .end = end > start ? end : start,
                                                        .task = context->task,
                                                        .scope = context->scope,
                                                        .region = region,
                                                        .location = context->location,
                                                        .kind = (uint8_t)kind,
                                                        .flags = store->closing_flags});
}

uint32_t otter_chain_add(struct otter_store *store, struct otter_context *context,
                         enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end)
{
    uint32_t node = otter_chain_make(store, context, kind, region, start, end);
    otter_store_edge(store, context->position, node, OTTER_EDGE_ORDER);
    otter_chain_append(store, context, node);
    return node;
}

void otter_chain_nest(struct otter_store *store, const struct otter_context *context, uint32_t node,
                      uint32_t before)
{
    const struct otter_graph_task *task = task_of(store, context);
    if (!context->is_base && before != task->first_node) {
        otter_store_edge(store, task->first_node, node, OTTER_EDGE_NESTING);
    }
}

// ---- execution: the fragments

void otter_chain_run(struct otter_store *store, struct otter_context *context, uint64_t time)
{
    if (otter_is_structure(store) || context->running == OTTER_RUNNING || context->n_waits > 0) {
        return;
    }
    struct otter_node *node = &store->nodes.items[context->position];
    if (context->running == OTTER_READY) {
        node->start = node->end = time;
        node->location = context->location;
        otter_chain_undeferred(store, context, context->position);
        context->undeferred = OTTER_NONE;
    } else {
        otter_chain_add(store, context, OTTER_NODE_FRAGMENT,
                        store->nodes.items[task_of(store, context)->first_node].region, time, time);
    }
    context->running = OTTER_RUNNING;
}

void otter_chain_pause(struct otter_store *store, struct otter_context *context, uint64_t time)
{
    if (context->running != OTTER_RUNNING) {
        return;
    }
    struct otter_node *node = &store->nodes.items[context->position];
    bool is_empty = node->start == time;
    node->end = time > node->start ? time : node->start;
    context->running = is_empty ? OTTER_READY : OTTER_IDLE;
}

void otter_chain_cut(struct otter_store *store, struct otter_context *context, uint64_t time)
{
    otter_chain_pause(store, context, time);
    context->running = OTTER_IDLE;
}
