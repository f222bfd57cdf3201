// Where Kokkos kernels were launched.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

// Kokkos tells the label of a kernel, not its line. The parallel region that a kernel forks stands at the line that launched it: gives
// each kernel of `graph` that has no place the place of a region inside it, if that is not in Kokkos' own code. A label that is launched
// from several lines gets none.
void otter_kernels_take_lines(const struct otter_graph *graph, struct otter_labels *labels);
