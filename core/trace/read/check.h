// Checks whether OTF2 can read a file of an archive to its end: the chunks and the fields of their
// records. Times of events are checked, no other values.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/read/formats.h"

// The times that events can have, in ticks of the clock of the file.
struct otter_tick_range {
    uint64_t first, last;
};

// Checks a file of chunks of `chunk_size` bytes. `why` gets the reason: "is cut off at byte 512".
// `ticks`: of an event file; NULL: any times.
// `n_whole` gets the number of events, or of other records, before a damage; may be NULL.
// *Thread*: any.
// *Errors*: OTTER_NOT_FOUND: there is no file; OTTER_BAD_ARCHIVE: it is damaged.
enum otter_status otter_check_chunked_file(const char *path, enum otter_file_kind kind,
                                           uint64_t chunk_size,
                                           const struct otter_tick_range *ticks, uint64_t *n_whole,
                                           char *why, size_t why_size);

// Checks the beginning and the end of an event file alone, so that the time does not depend on its
// size.
enum otter_status otter_check_event_file_ends(const char *path, char *why, size_t why_size);

// Checks the lengths in an anchor file that OTF2 does not check.
enum otter_status otter_check_anchor_file(const char *path, char *why, size_t why_size);
