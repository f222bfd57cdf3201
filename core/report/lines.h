// Resolves the code addresses in an archive to functions and source lines.
#pragma once

#include "graph/label.h"
#include "trace/read/reader.h"

// Sets function, file, line and place ("fib.c:12") in the labels of regions with a code address.
// - A label is unchanged if the file of code is missing, was rebuilt (one note on stderr), has no
//   debug information, or is an OpenMP runtime.
// - A label has no place if the address is that of another construct.
//
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_lines_resolve(const struct otter_archive *archive,
                                      struct otter_labels *labels);

// Initialises labels and resolves them. If memory is short, labels or lines are missing.
void otter_lines_label(const struct otter_archive *archive, struct otter_labels *labels);
