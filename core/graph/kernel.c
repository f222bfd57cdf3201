// Gives Kokkos kernels the source lines of the parallel regions inside them.
#include "graph/kernel.h"

#include <string.h>

// Marks a kernel that has several lines, until all regions are read.
#define FROM_SEVERAL_LINES UINT32_MAX

static bool is_kernel(const struct otter_graph *graph, uint32_t region)
{
    if (region == OTTER_NONE) {
        return false;
    }
    enum otter_construct construct = graph->definitions->regions[region].construct;
    return construct == OTTER_CONSTRUCT_KOKKOS_FOR || construct == OTTER_CONSTRUCT_KOKKOS_REDUCE ||
           construct == OTTER_CONSTRUCT_KOKKOS_SCAN;
}

void otter_kernel_add_line(struct otter_labels *labels, uint32_t kernel_region,
                           uint32_t parallel_region)
{
    struct otter_label *kernel = &labels->regions[kernel_region];
    const struct otter_label *region = &labels->regions[parallel_region];
    bool is_own = region->line > 0 && strncmp(region->where, "Kokkos_", strlen("Kokkos_")) != 0;
    if (!is_own || kernel->line == FROM_SEVERAL_LINES) {
        return;
    }
    if (kernel->line == 0) {
        kernel->where = region->where;
        kernel->function = region->function;
        kernel->file = region->file;
        kernel->line = region->line;
    } else if (kernel->line != region->line || strcmp(kernel->file, region->file) != 0) {
        kernel->where = kernel->function = kernel->file = "";
        kernel->line = FROM_SEVERAL_LINES;
    }
}

void otter_kernels_end_lines(struct otter_labels *labels)
{
    for (size_t i = 0; i < labels->n_regions; i++) {
        if (labels->regions[i].line == FROM_SEVERAL_LINES) {
            labels->regions[i].line = 0;
        }
    }
}

static void set_line(const struct otter_graph *graph, struct otter_labels *labels,
                     const struct otter_node *begin)
{
    const struct otter_node *around =
        begin->scope == OTTER_NONE ? NULL : &graph->nodes[begin->scope];
    if (around && is_kernel(graph, around->region) && begin->region != OTTER_NONE) {
        otter_kernel_add_line(labels, around->region, begin->region);
    }
}

void otter_kernels_set_lines(const struct otter_graph *graph, struct otter_labels *labels)
{
    for (uint32_t i = 0; i < graph->n_teams; i++) {
        if (graph->teams[i].begin_node != OTTER_NONE) {
            set_line(graph, labels, &graph->nodes[graph->teams[i].begin_node]);
        }
    }
    otter_kernels_end_lines(labels);
}
