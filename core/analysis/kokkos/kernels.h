// Kokkos kernels by label: their launches, and the teams that they fork.
#pragma once

#include "analysis/kokkos/kokkos.h"
#include "analysis/time/regions.h"
#include "graph/label.h"

// All launches of one kernel. Times are ticks, sums over launches and threads.
struct otter_kernel_use {
    const struct otter_kokkos_cost *cost; // totals, quantiles
    const struct otter_region_use *teams; // NULL: no launch forked a team
    uint32_t region;
    uint64_t launch;   // cost of a launch; 0: unknown (fewer than 10 launches, for example)
    uint64_t duration; // the median; less if threads had no processor during most launches
};

struct otter_kernel_uses {
    struct otter_kernel_use *items; // in descending order of total time
    uint32_t n;
    uint32_t *item_of; // of each region: the index of its item; OTTER_NONE if it is not a kernel
    uint32_t n_regions;
    uint64_t inside,
        outside; // ticks of the threads that launched a kernel: inside kernels, and outside
};

// `kokkos` and `regions` must outlive the result.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_kernel_uses_init(struct otter_kernel_uses *uses,
                                         const struct otter_kokkos *kokkos,
                                         const struct otter_region_uses *regions,
                                         const struct otter_timeline *timeline);
// Returns the launches of a label, which is a region index; NULL if it is not a launched kernel.
const struct otter_kernel_use *otter_kernel_use_of(const struct otter_kernel_uses *uses,
                                                   uint32_t label);
// Returns whether the label was launched 100 times or more, and a launch costs an eighth of its
// duration or more.
bool otter_kernel_uses_small(const struct otter_kernel_uses *uses, uint32_t label);
// Gives each kernel the source line of its launch, if known: the line of its parallel regions.
void otter_kernel_uses_set_lines(const struct otter_kernel_uses *uses, struct otter_labels *labels);
void otter_kernel_uses_finish(struct otter_kernel_uses *uses);
