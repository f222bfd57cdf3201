// A list of edges in any order, from which a graph's arrays are filled.
#pragma once

#include "graph/graph.h"
#include "base/vector.h"

struct otter_edge {
    uint32_t from, to;
    enum otter_edge_kind kind;
};

// A list whose bytes are all zero is empty.
struct otter_edges {
    OTTER_VECTOR(struct otter_edge);
};

// Returns false if out of memory.
bool otter_edges_add(struct otter_edges *edges, uint32_t from, uint32_t to,
                     enum otter_edge_kind kind);
void otter_edges_finish(struct otter_edges *edges);

// Replaces the edges of a graph by the edges of the list. If several edges join the same two nodes,
// the first kind in enum otter_edge_kind remains, as in the builder.
// Returns false if out of memory; then the graph is unchanged.
bool otter_edges_replace(const struct otter_edges *edges, struct otter_graph *graph);
