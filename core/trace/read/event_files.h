// The files of locations: checks, local definitions, and the state in which OTF2 reads them.
#pragma once

#include "trace/read/state.h"

// Opens the files of all locations of an archive that is not merged. *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_event_files_open_all(struct otter_archive *archive);

// Opens the files of `n` locations with the reader archive->files.reader. Sets ->damage, ->n_held
// and ->n_events of each.
// `mappings`: callbacks for the local definitions, with `archive` as user data.
// A location without whole local definitions is damaged: its times and numbers would be wrong.
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_event_files_open(struct otter_archive *archive,
                                         struct otter_location *locations, size_t n,
                                         const OTF2_DefReaderCallbacks *mappings);

void otter_event_files_close(struct otter_archive *archive);
