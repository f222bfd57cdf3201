// Stores the nodes, edges and tasks that are built so far.
#include "graph/build/internal.h"

uint32_t otter_build_node(struct otter_builder *builder, const struct otter_node *node)
{
    if (!OTTER_VECTOR_RESERVE(&builder->nodes)) {
        builder->has_failed = true;
        return 0;
    }
    builder->nodes.items[builder->nodes.n] = *node;
    return builder->nodes.n++;
}

void otter_build_edge(struct otter_builder *builder, uint32_t from, uint32_t to, unsigned kind)
{
    if (!OTTER_VECTOR_RESERVE(&builder->edge_from) || !OTTER_VECTOR_RESERVE(&builder->edge_to) ||
        !OTTER_VECTOR_RESERVE(&builder->edge_kind)) {
        builder->has_failed = true;
        return;
    }
    builder->edge_from.items[builder->edge_from.n++] = from;
    builder->edge_to.items[builder->edge_to.n++] = to;
    builder->edge_kind.items[builder->edge_kind.n++] = (uint8_t)kind;
}

uint32_t otter_build_task(struct otter_builder *builder, enum otter_task_kind kind,
                          uint32_t location, uint32_t number)
{
    if (!OTTER_VECTOR_RESERVE(&builder->tasks) || !OTTER_VECTOR_RESERVE(&builder->task_scope) ||
        !OTTER_VECTOR_RESERVE(&builder->task_next)) {
        builder->has_failed = true;
        return 0;
    }
    uint32_t task = builder->tasks.n++;
    uint32_t node = otter_build_node(
        builder, &(struct otter_node){
                     .task = task,
                     .scope = OTTER_OF_TASK,
                     .region = OTTER_NONE,
                     .location = (uint16_t)location,
                     .kind = otter_is_structure(builder) ? OTTER_NODE_TASK : OTTER_NODE_FRAGMENT,
                 });
    builder->tasks.items[task] = (struct otter_graph_task){.first_node = node,
                                                           .last_node = node,
                                                           .creator = OTTER_NONE,
                                                           .number = number,
                                                           .location = (uint16_t)location,
                                                           .kind = (uint8_t)kind};
    builder->task_scope.items[builder->task_scope.n++] = OTTER_NONE;
    builder->task_next.items[builder->task_next.n++] = OTTER_NONE;
    return task;
}
