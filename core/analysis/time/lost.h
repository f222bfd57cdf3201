// The threads whose last events are missing.
#pragma once

#include "trace/read/reader.h"

// Returns whether events are missing at the end of the location: it is damaged, its files were
// removed, the program was killed, or the archive reached its limit.
bool otter_ends_early(const struct otter_definitions *definitions, uint32_t location);
