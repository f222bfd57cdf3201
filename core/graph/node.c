// Classifies nodes by the constructs of their regions.
#include "graph/node.h"

#include "trace/schema.h"

enum otter_construct otter_node_construct(const struct otter_graph *graph, uint32_t node)
{
    return otter_definitions_construct(graph->definitions, graph->nodes[node].region);
}

bool otter_node_is_barrier(const struct otter_graph *graph, uint32_t node)
{
    enum otter_construct construct = otter_node_construct(graph, node);
    bool is_recorded = otter_construct_is_barrier(construct);
    // the node has the region of its team
    bool is_implied = graph->nodes[node].flags & OTTER_NODE_IMPLIED;
    return graph->nodes[node].kind == OTTER_NODE_SYNC && (is_recorded || is_implied);
}
