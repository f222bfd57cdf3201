// Source lines of Kokkos kernels.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

// Gives each kernel of `graph` the file, line and function of a parallel region inside the kernel.
// Kokkos reports the label of a kernel without a line; the region has the line of the launch. A
// kernel that has a line retains it. Regions in Kokkos' own code are ignored. A label that is
// launched from several lines gets no line.
void otter_kernels_set_lines(const struct otter_graph *graph, struct otter_labels *labels);

// Adds one region of a kernel, for a caller that knows the regions of each kernel. Call
// otter_kernels_end_lines after the last one.
void otter_kernel_add_line(struct otter_labels *labels, uint32_t kernel, uint32_t region);
void otter_kernels_end_lines(struct otter_labels *labels);
