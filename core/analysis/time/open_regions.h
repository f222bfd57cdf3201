// The open regions, from the most recent to the oldest. Private to core/analysis.
#pragma once

#include <stdint.h>

#include "base/status.h"

struct otter_open_region {
    uint32_t n;            // how often it is open
    uint32_t newer, older; // open regions that began after and before it
};

struct otter_open_regions {
    struct otter_open_region *regions; // by index
    uint32_t newest;                   // OTTER_NONE: none is open
};

// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_open_regions_init(struct otter_open_regions *open, uint32_t n_regions);
void otter_open_regions_finish(struct otter_open_regions *open);

void otter_open_regions_begin(struct otter_open_regions *open, uint32_t region);

// Ends the region once; the region must be open.
void otter_open_regions_end(struct otter_open_regions *open, uint32_t region);
