// The source lines that an archive has of its regions.
#pragma once

#include "trace/read/state.h"

// Gives regions with a property OTTER::CODE the names and files of the recorder, and the lines that
// their definitions have as `source`. `kept` owns the texts. *Returns* false when memory is short.
bool otter_sources_separate(struct otter_region *regions, size_t n_regions,
                            const struct otter_property *properties, size_t n_properties,
                            struct otter_list *kept);
void otter_sources_free(struct otter_list *kept);
