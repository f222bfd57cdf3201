// The first place at which two graphs differ.
//
// Both naming trees (naming.h) are descended together. Children with equal subtrees cancel each
// other. The remaining children are compared in program order: created tasks by number, then the
// next nodes of the chain. If the trees are equal, the edges of partners are compared.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

enum otter_difference_kind {
    OTTER_DIFFERENCE_NONE = 0,
    OTTER_DIFFERENCE_NODE,  // a node is in only one of the graphs
    OTTER_DIFFERENCE_LABEL, // nodes at one place have different kinds or labels
    OTTER_DIFFERENCE_EDGE,  // an edge is in only one of the graphs
};

// Index 0 is the first graph, index 1 the second.
struct otter_difference {
    enum otter_difference_kind kind;
    uint32_t parents[2]; // partners in the naming tree above the place; OTTER_NONE: no such node
    // the node that differs, or the start of the edge; OTTER_NONE in the graph that lacks it
    uint32_t nodes[2];
    uint32_t targets[2]; // end of the edge; OTTER_NONE in the graph that lacks it
    uint8_t edge_kind;   // enum otter_edge_kind of the edge
    uint32_t n_tasks[2]; // tasks that `parents` create
};

// Compares structure views. Labels are compared as texts. Siblings that look alike may swap places,
// so the cause may be an edge of another sibling. Returns false if out of memory.
bool otter_graph_differ(const struct otter_graph *const graphs[2],
                        const struct otter_labels *const labels[2],
                        struct otter_difference *difference);
