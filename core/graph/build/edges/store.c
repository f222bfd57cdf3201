// Stores the nodes, edges and tasks built so far.
#include "graph/build/edges/store.h"

#include "base/free.h"

uint32_t otter_store_node(struct otter_store *store, const struct otter_node *node)
{
    if (!OTTER_VECTOR_RESERVE(&store->nodes)) {
        store->has_failed = true;
        return 0;
    }
    store->nodes.items[store->nodes.n] = *node;
    return store->nodes.n++;
}

void otter_store_edge(struct otter_store *store, uint32_t from, uint32_t to, unsigned kind)
{
    if (!OTTER_VECTOR_RESERVE(&store->edge_from) || !OTTER_VECTOR_RESERVE(&store->edge_to) ||
        !OTTER_VECTOR_RESERVE(&store->edge_kind)) {
        store->has_failed = true;
        return;
    }
    store->edge_from.items[store->edge_from.n++] = from;
    store->edge_to.items[store->edge_to.n++] = to;
    store->edge_kind.items[store->edge_kind.n++] = (uint8_t)kind;
}

uint32_t otter_store_task(struct otter_store *store, enum otter_task_kind kind, uint32_t location,
                          uint32_t number)
{
    if (!OTTER_VECTOR_RESERVE(&store->tasks) || !OTTER_VECTOR_RESERVE(&store->task_scope) ||
        !OTTER_VECTOR_RESERVE(&store->task_next)) {
        store->has_failed = true;
        return 0;
    }
    uint32_t task = store->tasks.n++;
    uint32_t node = otter_store_node(
        store, &(struct otter_node){
                   .task = task,
                   .scope = OTTER_OF_TASK,
                   .region = OTTER_NONE,
                   .location = (uint16_t)location,
                   .kind = otter_is_structure(store) ? OTTER_NODE_TASK : OTTER_NODE_FRAGMENT,
               });
    store->tasks.items[task] = (struct otter_graph_task){.first_node = node,
                                                         .last_node = node,
                                                         .creator = OTTER_NONE,
                                                         .number = number,
                                                         .location = (uint16_t)location,
                                                         .kind = (uint8_t)kind};
    store->task_scope.items[store->task_scope.n++] = OTTER_NONE;
    store->task_next.items[store->task_next.n++] = OTTER_NONE;
    return task;
}

bool otter_store_init(struct otter_store *store, const struct otter_definitions *definitions,
                      enum otter_graph_view view)
{
    *store = (struct otter_store){.definitions = definitions, .view = view};
    return OTTER_VECTOR_RESERVE(&store->nodes) && OTTER_VECTOR_RESERVE(&store->tasks) &&
           OTTER_VECTOR_RESERVE(&store->task_scope) && OTTER_VECTOR_RESERVE(&store->task_next);
}

void otter_store_finish(struct otter_store *store)
{
    OTTER_FREE(store->nodes.items, store->edge_from.items, store->edge_to.items,
               store->edge_kind.items, store->tasks.items, store->task_scope.items,
               store->task_next.items);
}
