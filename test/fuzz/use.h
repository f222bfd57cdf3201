// All that is done with a graph, or with an archive, once it has been read.
#pragma once

#include <stdio.h>

#include "trace/read/reader.h"

// Where texts go that nobody reads.
FILE *fuzz_nowhere(void);

// The graph of some events, in a view, and one of all ways: in a format, grouped or not, folded or a part of it; hashed. `events` in any
// order of locations; those of one follow each other.
void fuzz_use_events(const struct otter_definitions *definitions, const struct otter_event *events,
                     size_t n, uint8_t how);

// What one of the commands that read archives does with it.
void fuzz_use_archive(struct otter_archive *archive, uint8_t how);
