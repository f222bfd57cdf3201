// Opens the files of locations for OTF2: checks them and reads local definitions.
#pragma once

#include "trace/read/state.h"

// Opens the files of all locations of an archive that is not merged. *Errors*: OTTER_NO_MEMORY,
// OTTER_NO_FILES.
enum otter_status otter_event_files_open_all(struct otter_archive *archive,
                                             struct otter_complaint *complaint);

// Callbacks for the local definitions, which are read location by location.
struct otter_local_reading {
    const OTF2_DefReaderCallbacks *callbacks;
    void *tables; // user data of the callbacks
    // Called after the definitions of each location. *Returns* why they are damaged, or NULL.
    const char *(*end)(void *user);
    void *user;
};

// Opens the files of `n` locations with the reader archive->files.reader. Sets ->damage, ->n_held
// and ->n_events of each.
// `local`: for the local definitions of a merged archive; may be NULL. A location with incomplete
// local definitions is damaged: its times and numbers would be wrong. *Errors*:
// OTTER_NO_MEMORY, OTTER_NO_FILES.
enum otter_status otter_event_files_open(struct otter_archive *archive,
                                         struct otter_location *locations, size_t n,
                                         const struct otter_local_reading *local,
                                         struct otter_complaint *complaint);

void otter_event_files_close(struct otter_archive *archive);
