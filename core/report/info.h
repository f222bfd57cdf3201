// What `otter info` shows of an archive: for a person, and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "report/summary.h"

// With `all`, nothing is left out for the sake of brevity.
void otter_info_print(FILE *out, const struct otter_archive *archive,
                      const struct otter_summary *summary, bool all);

enum otter_status otter_info_print_json(FILE *out, const struct otter_archive *archive,
                                        const struct otter_summary *summary);

// The span of time of the events in seconds, or a negative number when it is not known.
double otter_info_seconds(const struct otter_definitions *definitions,
                          const struct otter_summary *summary);

// Bytes on disk for each task created, or a negative number.
double otter_info_bytes_per_task(const struct otter_summary *summary);

// "2026-11-20 11:34:55" in local time, or "".
void otter_info_date(const struct otter_definitions *definitions, char *text, size_t size);
