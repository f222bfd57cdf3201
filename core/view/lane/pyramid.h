// Sums of slices over buckets of 4^k ticks, so that few bars are drawn at any zoom.
#pragma once

#include "view/lane/chunk.h"
#include "view/lane/lanes.h"

enum { OTTER_MAX_LEVELS = 32 };

struct otter_pyramid {
    uint32_t coarsest, finest; // levels
    uint64_t *totals;          // of each lane: the ticks of row 0 by state
    uint64_t n_slices;         // of all rows
};

// Adds the table `pyramid` to `chunks`. Memory: about 30 MB.
void otter_pyramid_init(struct otter_pyramid *pyramid, const struct otter_view *view,
                        struct otter_chunks *chunks);
void otter_pyramid_finish(struct otter_pyramid *pyramid);
