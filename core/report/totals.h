// What an archive knows of the time when its budget for events was reached: from when on, and what each region did from there.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/status.h"
#include "trace/reader.h"

// Ticks of all threads together. Where a region was open in itself its time counts once.
struct otter_region_totals {
    uint32_t region; // index
    uint64_t n_visits, inclusive, exclusive;
};

// Whether events end because max-size was reached, and when, in seconds since recording began; less than 0: that is not known.
bool otter_archive_is_stopped(const struct otter_archive *archive, double *seconds);

// The totals that the archive holds, the longest exclusive time first, and how many; NULL: none, or OTTER_NO_MEMORY. The caller frees them.
enum otter_status otter_region_totals_read(const struct otter_archive *archive,
                                           struct otter_region_totals **totals, size_t *n);

// As a table for a person, with `all` of every region; silent when there are none.
void otter_region_totals_print(FILE *out, const struct otter_archive *archive, bool all);

// As an object, or null when recording was not stopped.
json_t *otter_region_totals_json(const struct otter_archive *archive);
