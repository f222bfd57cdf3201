// Resolves the code addresses in an archive to functions and source lines.
#pragma once

#include "graph/label.h"
#include "trace/read/reader.h"

// Sets function, file, line and place ("fib.c:12") in the labels of regions with a code address.
// - Lines in the archive (source/stored_lines.h) are used; other lines are read from the code.
// - A label is unchanged if the file of code is missing, was rebuilt (one note on stderr), has no
//   debug information, or is an OpenMP runtime.
// - A label has no place if the address is that of another construct.
//
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_lines_resolve(const struct otter_archive *archive,
                                      struct otter_labels *labels);

// Returns whether a region has a code address: its offset in the module `file`.
bool otter_lines_has_code(const struct otter_region *region, uint64_t *offset);

// Counts the regions with a source line, and the regions whose label is an address in the program
// or its libraries. Addresses in runtimes are not counted, since runtimes contain no source lines
// of the user.
void otter_lines_count(const struct otter_definitions *definitions,
                       const struct otter_labels *labels, size_t *n_with, size_t *n_without);

// Returns the hint for a report in which no label has a line and some are addresses, otherwise
// NULL.
const char *otter_lines_hint(const struct otter_definitions *definitions,
                             const struct otter_labels *labels);

// Initialises labels and resolves them. *Errors*: OTTER_NO_MEMORY: labels or lines are missing.
enum otter_status otter_lines_label(const struct otter_archive *archive,
                                    struct otter_labels *labels);
