// Prints the numbers of Kokkos' labels of an analysis.
#pragma once

#include "analysis/analysis.h"
#include "scene.h"

// Reads the allocations of the scene a second time, for the high water.
void driver_read_blocks(struct otter_analysis *analysis, const struct scene *scene,
                        bool is_reverse);
void driver_print_kokkos(const struct scene *scene, const struct otter_analysis *analysis);
