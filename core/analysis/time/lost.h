// The threads whose last events are missing.
#pragma once

#include "trace/read/reader.h"

// Returns whether events after the last one of the location are missing. The location is damaged,
// its files were removed, or the program was killed; or the archive reached its limit.
bool otter_ends_early(const struct otter_definitions *definitions, uint32_t location);
