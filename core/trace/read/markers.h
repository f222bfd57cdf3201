// Reads the markers of an archive.
#pragma once

#include "trace/read/state.h"

// Damaged markers are left out: see marker_damage of struct otter_definitions.
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_reader_read_markers(struct otter_archive *archive);
void otter_reader_free_markers(struct otter_archive *archive);
