// Where in the program nodes lie: in which Kokkos kernel, in which region, in which region around that.
//
// A place is a path of labels, and all nodes with one path are in one place, however often the program got there. A label does not
// occur twice in a path: what recurs lies where it lay the first time.
#pragma once

#include "graph/graph.h"

struct otter_place {
    uint32_t
        parent; // the place around it; OTTER_NONE: of place 0, where what has no label around it lies
    uint32_t begin; // a node that begins it, as an example; OTTER_NONE for place 0
    bool
        is_plain; // a kernel or copy with neither labels nor explicit tasks inside: only what its runtime does
};

struct otter_places {
    struct otter_place *places; // each after its parent
    uint32_t n_places;
    uint32_t *
        of_nodes; // the begin and the end of a labelled scope lie in it; NULL when place 0 is all there is
};

// `label_of` numbers the labels of all regions, by their indexes. False when memory is short.
bool otter_places_init(struct otter_places *places, const struct otter_graph *graph,
                       const uint32_t *label_of);
void otter_places_finish(struct otter_places *places);
