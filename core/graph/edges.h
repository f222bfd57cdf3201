// Edges in the order in which they come to mind, before they are put into a graph's arrays.
#pragma once

#include "graph/graph.h"
#include "base/vector.h"

struct otter_edge {
    uint32_t from, to;
    enum otter_edge_kind kind;
};

// All zero is an empty list.
struct otter_edges {
    OTTER_VECTOR(struct otter_edge);
};

// False when memory is short.
bool otter_edges_add(struct otter_edges *edges, uint32_t from, uint32_t to,
                     enum otter_edge_kind kind);
void otter_edges_finish(struct otter_edges *edges);

// Replaces the edges of a graph by those of the list, of which the first kind of several between the same nodes is kept, as the builder
// does. False when memory is short: then nothing has changed.
bool otter_edges_replace(const struct otter_edges *edges, struct otter_graph *graph);
