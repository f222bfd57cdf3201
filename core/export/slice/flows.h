// Edges of the task graph between slices: a flow leaves the last slice of a node and reaches the
// first slice of another.
#pragma once

#include "view/lane/lanes.h"

// The time of a node's slices; begin == end: the node has no slices.
struct otter_flow_node {
    uint64_t begin, end; // nanoseconds since the view's start
    uint64_t last_begin; // start of the last slice
};

struct otter_flows {
    const struct otter_view *view;
    struct otter_flow_node *nodes; // one for each node of the graph
    uint32_t *before, *after;      // the nearest node with slices before each node, and after it
};

struct otter_flow {
    uint32_t from, to; // nodes with slices
    enum otter_edge_kind kind;
};

// Memory: 32 bytes per node. Returns OTTER_NO_MEMORY or OTTER_OK.
// In both cases the caller calls otter_flows_finish.
enum otter_status otter_flows_init(struct otter_flows *flows, const struct otter_view *view);
void otter_flows_finish(struct otter_flows *flows);

// Sets *flow to the edge `e` that leaves `node`. Returns false if the edge is not a flow: it is
// within a chain, lacks a slice at one end, or goes back in time in a damaged archive.
// At an end without a slice, such as a wait, the flow moves to the nearest slice of the chain.
bool otter_flow_of(const struct otter_flows *flows, uint32_t node, uint32_t e,
                   struct otter_flow *flow);

// Returns the lane of a node with slices.
static inline uint32_t otter_flow_lane(const struct otter_flows *flows, uint32_t node)
{
    const struct otter_node *nodes = flows->view->analysis.graph->nodes;
    return flows->view->lanes.of_locations[nodes[node].location];
}
