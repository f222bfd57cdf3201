// The source lines that were added to the regions of an archive.
#pragma once

#include "trace/read/state.h"

// For regions with a property OTTER::CODE, restores the names and files that the recorder wrote,
// and sets `source` to the added lines. `kept` owns the texts. *Returns* false if out of memory.
bool otter_sources_separate(struct otter_region *regions, size_t n_regions,
                            const struct otter_property *properties, size_t n_properties,
                            struct otter_list *kept);
void otter_sources_free(struct otter_list *kept);
