// Completes the event file that a recorder left, dead or alive.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_last_chunk {
    bool is_there;     // the files end with a chunk that was being written, or with the end marker
    uint64_t n_behind; // events in <n>.chunk, if chunks are missing before it
};

// Appends the whole records of the last chunk, <n>.chunk, and the end marker to <n>.evt. Does
// nothing to a complete file. Renames a chunk after missing chunks to <n>.rest.
// *n_events: in the file; *last_time: ticks, of its last event; `last` may be NULL.
// *Thread*: one at a time; nobody may write to the files any more.
// *Errors*: OTTER_BAD_ARCHIVE: the files are damaged; OTTER_NOT_FOUND: there is no event to seal.
// Then only a chunk that was begun remains.
enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time,
                                        struct otter_last_chunk *last);
