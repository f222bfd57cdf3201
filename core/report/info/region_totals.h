// The time at which an archive reached max-size, and the region totals from then on.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "trace/read/reader.h"

// Returns whether max-size was reached. Stores the time in seconds since the recording began;
// negative: unknown.
bool otter_archive_is_stopped(const struct otter_archive *archive, double *seconds);

// Prints the region totals as a table; nothing if there are none. `all`: the list is not shortened.
void otter_region_totals_print(FILE *out, const struct otter_archive *archive, bool all);

// Returns the region totals as an object, or null if there are none.
json_t *otter_region_totals_json(const struct otter_archive *archive);
