// Completes the event file of a recorder that was killed or ended properly.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct otter_last_chunk {
    bool is_there;     // the files end with an unfinished chunk or with the end marker
    uint64_t n_behind; // events in <n>.chunk, if chunks are missing before it
};

// Appends the complete records of the last chunk, <n>.chunk, and the end marker to <n>.evt. Leaves
// a complete file as it is. If chunks before <n>.chunk are missing, renames it to <n>.rest.
// Sets *n_events to the number of events in the file, and *last_time to the time of the last one,
// in ticks. `last` may be NULL.
// *Thread*: one at a time; nobody else may write to the files.
// *Errors*: OTTER_BAD_ARCHIVE: the files are damaged; OTTER_NOT_FOUND: there is no event to seal,
// and at most an empty chunk remains.
enum otter_status otter_event_file_seal(const char *folder, uint32_t location, size_t chunk_size,
                                        uint64_t *n_events, uint64_t *last_time,
                                        struct otter_last_chunk *last);
