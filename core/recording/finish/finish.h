// Turns a recording into an archive, at the end of the recording process, or in another process
// after its death.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_finish_result {
    uint64_t n_events;
    uint64_t n_bytes;                     // size of the archive
    uint64_t n_locations;                 // threads
    uint64_t n_lost;                      // events that were not recorded, plus `least_missing`
    uint64_t n_missing;                   // locations whose event files were removed or damaged
    uint64_t least_missing, most_missing; // recorded events that are no longer in any event file
    uint64_t n_tasks;                     // creations in the archive, if `has_tasks`
    bool has_tasks;     // events are missing, so the recorder's count of creations is wrong
    uint64_t n_unread;  // damaged lines of the journal
    uint64_t n_unknown; // threads without a line in the journal
    bool has_start;     // false: the time of day is unknown
    bool has_clock;     // false: the unit of time is uncertain
    bool is_kept;       // the recording is retained, since it has events that the archive lacks
};

// Turns `recording` (a folder with journal and events/) into the archive `folder`, and removes the
// recording unless result->is_kept. Recording must be over.
// After a failure `folder` does not exist, and the recording still has all events for another
// attempt. Event files may have moved from its events/ to its archive/.
// *Thread*: one at a time in the process.
// *Errors*:
// - OTTER_EMPTY: no location has an event, or the journal was not begun
// - OTTER_EXISTS: `folder` exists
// - OTTER_NOT_FOUND: there is no journal, or no folder for `folder`
// - OTTER_BAD_ARCHIVE: the journal is damaged, or a folder in the recording is a link
enum otter_status otter_finish(const char *recording, const char *folder,
                               struct otter_finish_result *result);
