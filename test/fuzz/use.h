// Uses a graph or an archive in all ways that commands do.
#pragma once

#include <stdio.h>

#include "trace/read/reader.h"

// Returns a stream that discards its text.
FILE *fuzz_nowhere(void);

// Builds the graph of events in a view, and uses the graph as `how` says: hashes, folds, selects,
// groups and exports it. Locations may be in any order; the events of a location are in sequence.
void fuzz_use_events(const struct otter_definitions *definitions, const struct otter_event *events,
                     size_t n, uint8_t how);

// Runs one of the commands that read archives.
void fuzz_use_archive(struct otter_archive *archive, uint8_t how);
