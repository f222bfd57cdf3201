// Edges of the task graph between slices: a flow leaves the last slice of a node and reaches the
// first slice of another.
#pragma once

#include "view/lane/lanes.h"

// The time of a node's slices; begin == end: the node has no slices.
struct otter_flow_node {
    uint64_t begin, end; // nanoseconds since the view's start
    uint64_t last_begin; // start of the last slice
};

// Edges of flows by node: node i has edges[first[i]] to edges[first[i + 1] - 1].
struct otter_flow_list {
    uint32_t *first, *edges;
};

struct otter_flows {
    const struct otter_view *view;
    struct otter_flow_node *nodes; // one for each node of the graph
    uint32_t *before, *after;      // the nearest node with slices before each node, and after it
    struct otter_flow_list leaving, reaching;
};

// Lists the flows of each node. An edge is no flow if it is within a chain, lacks a slice at one
// end, or goes back in time in a damaged archive. At an end without a slice, such as a wait, the
// flow moves to the nearest slice of the chain.
//
// Memory: 40 bytes per node and 8 bytes per edge.
void otter_flows_init(struct otter_flows *flows, const struct otter_view *view);
void otter_flows_finish(struct otter_flows *flows);
