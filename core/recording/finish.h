// From a recording to an archive: the one way to close, whether the recording process does it at its end or another one does it
// after its death.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct otter_finish_result {
    uint64_t n_events;
    uint64_t n_bytes; // of the archive
    uint64_t n_locations;
    uint64_t
        n_lost; // events: as the recorder counted them, and those that it had recorded and are not there
    uint64_t n_tasks;   // whose creation is in the archive, with `has_tasks`
    bool has_tasks;     // events are missing, and so may creations that the recorder counted
    uint64_t n_unread;  // lines of the journal that could not be read
    uint64_t n_unknown; // threads that the journal does not name, or no longer
    bool has_start,
        has_clock; // the journal told them; else no time of day, or no sure unit of time
    bool
        is_kept; // the recording is not removed: there are events that belong to nothing that is known
};

// Sets aside, in a file of `recording`, the space that otter_finish will need when the disk is full by then. Best effort.
void otter_finish_reserve(const char *recording);
// Gives it back: recording is over.
void otter_finish_use_reserve(const char *recording);

// Turns `recording` (a folder with journal and events/) into the archive `folder`, which must not
// exist, and removes the recording, unless there are events in it that the archive has not
// (result->is_kept). Nobody may record any more. On failure no `folder` appears, and the recording
// holds all that it held, for another call (event files may have gone from its events/ to its
// archive/). OTTER_EMPTY: no location has an event, or the journal was not begun. OTTER_EXISTS:
// `folder` does. OTTER_NOT_FOUND: there is no journal, or no folder to put `folder` in.
// OTTER_BAD_ARCHIVE: there is no good journal, or a folder in the recording is a link.
enum otter_status otter_finish(const char *recording, const char *folder,
                               struct otter_finish_result *result);

// Removes what is left of `recording` when finishing it was interrupted after its archive `folder` had appeared: files without events.
// OTTER_NOT_FOUND: it is not so; others: they cannot be removed.
enum otter_status otter_finish_remove_rest(const char *recording, const char *folder);

// Whether `recording` holds no more than a recorder leaves that is killed before its first event:
// at most a journal, the reserve and an empty folder `events`. The journal may say more.
bool otter_finish_is_unbegun(const char *recording);

// Removes such a recording. OTTER_EXISTS: `recording` holds anything else, and nothing is removed.
// Others: as the system has them.
enum otter_status otter_finish_remove_unbegun(const char *recording);

// Removes a recording of `n_threads` and any streams that nobody wants. Nobody may record any more.
void otter_finish_discard(const char *recording, uint32_t n_threads);
