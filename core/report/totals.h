// What an archive knows of the time when its budget for events was reached: from when on, and what each region did from there.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#include "trace/read/reader.h"

// Whether events end because max-size was reached, and when, in seconds since recording began; less than 0: that is not known.
bool otter_archive_is_stopped(const struct otter_archive *archive, double *seconds);

// As a table for a person, with `all` of every region; silent when there are none.
void otter_region_totals_print(FILE *out, const struct otter_archive *archive, bool all);

// As an object, or null when recording was not stopped.
json_t *otter_region_totals_json(const struct otter_archive *archive);
