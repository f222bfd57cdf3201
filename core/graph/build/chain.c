// Appends nodes to the chain of a task, and begins and ends its fragments.
#include "graph/build/chain.h"

static struct otter_graph_task *task_of(struct otter_builder *builder,
                                        const struct otter_context *context)
{
    return &builder->tasks.items[context->task];
}

// A wait joins the child nevertheless, so that all other edges are those of a deferred task.
void otter_chain_undeferred(struct otter_builder *builder, const struct otter_context *context,
                            uint32_t node)
{
    if (context->undeferred != OTTER_NONE) {
        otter_build_edge(builder, context->undeferred, node,
                         OTTER_EDGE_UNDEFERRED | OTTER_FROM_BODY);
    }
}

void otter_chain_append(struct otter_builder *builder, struct otter_context *context, uint32_t node)
{
    otter_chain_undeferred(builder, context, node);
    context->undeferred = OTTER_NONE;
    context->position = node;
    task_of(builder, context)->last_node = node;
}

uint32_t otter_chain_make(struct otter_builder *builder, const struct otter_context *context,
                          enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end)
{
    return otter_build_node(builder, &(struct otter_node){.start = start,
                                                          .end = end > start ? end : start,
                                                          .task = context->task,
                                                          .scope = context->scope,
                                                          .region = region,
                                                          .location = context->location,
                                                          .kind = (uint8_t)kind,
                                                          .flags = builder->closing_flags});
}

uint32_t otter_chain_add(struct otter_builder *builder, struct otter_context *context,
                         enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end)
{
    uint32_t node = otter_chain_make(builder, context, kind, region, start, end);
    otter_build_edge(builder, context->position, node, OTTER_EDGE_ORDER);
    otter_chain_append(builder, context, node);
    return node;
}

void otter_chain_nest(struct otter_builder *builder, const struct otter_context *context,
                      uint32_t node, uint32_t before)
{
    const struct otter_graph_task *task = task_of(builder, context);
    if (!context->is_base && before != task->first_node) {
        otter_build_edge(builder, task->first_node, node, OTTER_EDGE_NESTING);
    }
}

// ---- execution: the fragments

void otter_chain_run(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    if (otter_is_structure(builder) || context->running == OTTER_RUNNING || context->n_waits > 0) {
        return;
    }
    struct otter_node *node = &builder->nodes.items[context->position];
    if (context->running == OTTER_READY) {
        node->start = node->end = time;
        node->location = context->location;
        otter_chain_undeferred(builder, context, context->position);
        context->undeferred = OTTER_NONE;
    } else {
        otter_chain_add(builder, context, OTTER_NODE_FRAGMENT,
                        builder->nodes.items[task_of(builder, context)->first_node].region, time,
                        time);
    }
    context->running = OTTER_RUNNING;
}

void otter_chain_pause(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    if (context->running != OTTER_RUNNING) {
        return;
    }
    struct otter_node *node = &builder->nodes.items[context->position];
    bool is_empty = node->start == time;
    node->end = time > node->start ? time : node->start;
    context->running = is_empty ? OTTER_READY : OTTER_IDLE;
}

void otter_chain_cut(struct otter_builder *builder, struct otter_context *context, uint64_t time)
{
    otter_chain_pause(builder, context, time);
    context->running = OTTER_IDLE;
}
