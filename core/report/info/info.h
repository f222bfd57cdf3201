// Prints the contents of an archive for `otter info`, as text and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "graph/label.h"
#include "report/info/summary.h"

#define OTTER_KOKKOS_PREFIX "OTTER::KOKKOS::" // of properties that contain metadata

// `labels`: lists are complete, and regions are listed with these labels; NULL: lists are
// shortened. `width`: columns of the terminal, to which names of locations are cut.
void otter_info_print(FILE *out, const struct otter_archive *archive,
                      const struct otter_summary *summary, const struct otter_labels *labels,
                      unsigned width);

enum otter_status otter_info_print_json(FILE *out, const struct otter_archive *archive,
                                        const struct otter_summary *summary,
                                        const struct otter_labels *labels);

// Returns the time span of the events in seconds, or a negative number if it is unknown.
double otter_info_seconds(const struct otter_definitions *definitions,
                          const struct otter_summary *summary);

// Returns the bytes on disk per created task, or a negative number if there is no task.
double otter_info_bytes_per_task(const struct otter_summary *summary);

// Returns the name of Kokkos' default device, such as "OpenMP". A mangled class name is demangled.
// The caller frees the text. NULL: unknown.
char *otter_info_kokkos_device(const struct otter_archive *archive);

// Stores "2026-11-20 11:34:55" in local time, or "" if the date is unknown.
void otter_info_date(const struct otter_definitions *definitions, char *text, size_t size);
