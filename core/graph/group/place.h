// The places of nodes: the Kokkos kernel around a node, the region around the kernel, and so on.
//
// A place is a path of labels. Nodes with equal paths are in one place, however often the program
// entered it. A path contains each label at most once: when a label recurs inside itself, the nodes
// remain in the place that its outer occurrence began.
#pragma once

#include "base/vector.h"
#include "graph/graph.h"

struct otter_place {
    uint32_t parent; // the enclosing place; OTTER_NONE for place 0, which is outside of all labels
    uint32_t begin;  // a node that begins the place, as an example; OTTER_NONE for place 0
    bool is_plain;   // a kernel or copy that contains neither labels nor explicit tasks
};

struct otter_places {
    OTTER_VECTOR(struct otter_place); // each after its parent
    // The place of each node; NULL if there is only place 0. The start and the end of a labelled
    // scope are in the place that the scope begins.
    uint32_t *of_nodes;
};

// Finds the places of all nodes. label_of[region] is the number of a region's label.
// Returns false if out of memory.
bool otter_places_init(struct otter_places *places, const struct otter_graph *graph,
                       const uint32_t *label_of);
void otter_places_finish(struct otter_places *places);
