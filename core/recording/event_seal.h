// Completes the event file that a recorder left, dead or alive.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

// Appends the whole records of the last chunk, <n>.chunk, and the end marker to <n>.evt. Does
// nothing to a complete file. *n_events: in the file; *last_time: ticks, of its last event.
// *Thread*: one at a time; nobody may write to the files any more.
// *Errors*: OTTER_NOT_FOUND: no event was recorded, both files are removed; OTTER_BAD_ARCHIVE: the
// files are damaged.
enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time);
