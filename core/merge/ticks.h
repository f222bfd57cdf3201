// Properties of an archive that are ticks of its clock.
#pragma once

#include "merge/sources.h"
#include "trace/merge/clock_map.h"

// Converts ticks in the properties of `source` to ticks of the merged archive.
void otter_merge_ticks(struct otter_merge_source *source, const struct otter_clock_map *map);
