// Prints the numbers of an analysis that belong to Kokkos' labels.
#pragma once

#include "analysis/analysis.h"
#include "scene.h"

// Reads the allocations of the scene a second time, up to the high-water mark.
void driver_read_blocks(struct otter_analysis *analysis, const struct scene *scene,
                        bool is_reverse);
void driver_print_kokkos(const struct scene *scene, const struct otter_analysis *analysis);
