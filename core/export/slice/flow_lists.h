// The flows at each node, for a format that attaches flows to slices.
#pragma once

#include "export/slice/flows.h"

// Edges of flows by node: node i has edges[first[i]] to edges[first[i + 1] - 1].
struct otter_flow_list {
    uint32_t *first, *edges;
};

struct otter_flow_lists {
    struct otter_flow_list leaving, reaching;
};

// Lists the flows of each node. Memory: 8 bytes per node and per edge.
// *Returns* OTTER_NO_MEMORY or OTTER_OK. In both cases the caller calls otter_flow_lists_finish.
enum otter_status otter_flow_lists_init(struct otter_flow_lists *lists,
                                        const struct otter_flows *flows);
void otter_flow_lists_finish(struct otter_flow_lists *lists);
