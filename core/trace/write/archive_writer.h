// The state of an archive that is being written, and the functions that all its parts need.
//
// One thread writes an archive. After a failure, writing continues, and otter_archive_write returns
// the first failure.
#pragma once

#include <stdint.h>

#include <otf2/otf2.h>

#include "base/status.h"
#include "base/text/strings.h"
#include "trace/write/archive_content.h"

// Groups. The groups of teams and communicators follow, then the groups of the devices' windows.
enum {
    OTTER_GROUP_LOCATIONS = 0,
    OTTER_GROUP_ALL_THREADS = 1,
    OTTER_GROUP_RANKS = 2, // only if messages were recorded
};

struct otter_archive_writer {
    const char *folder;
    const struct otter_archive_content *content;
    const uint64_t *n_events; // recorded events of each location
    uint64_t last_time;       // time of the last event, in ticks
    struct otter_strings *strings;
    OTF2_Archive *handle;
    OTF2_GlobalDefWriter *writer;
    uint32_t first_team;     // the first team's group
    enum otter_status error; // the first failure
    OTF2_ErrorCallback error_callback_before;
};

// Opens the archive "traces" in `archive->folder`, which must not exist. Sizes are in bytes.
// *Returns* a status for otter_archive_end, which the caller must call in any case.
enum otter_status otter_archive_begin(struct otter_archive_writer *archive, size_t event_chunk,
                                      size_t definition_chunk);
// Resumes noting OTF2's failures, after a reader has set OTF2's error callback.
void otter_archive_watch_errors(struct otter_archive_writer *archive);
// Closes the archive. *Returns* its first failure, or `status`.
enum otter_status otter_archive_end(struct otter_archive_writer *archive, enum otter_status status);

// *Returns* the chunk size for definitions whose largest record has at most `n_bytes`.
size_t otter_archive_definition_chunk(size_t n_bytes);

// Notes a failure, unless there was an earlier one. OTTER_OK changes nothing.
void otter_archive_note_error(struct otter_archive_writer *archive, enum otter_status error);

// *Returns* the number of events of a location in the archive: a location without recorded events
// has one (core/trace/silent.h).
uint64_t otter_archive_n_events(const struct otter_archive_writer *archive, size_t location);

// *Returns* the archive's number of a string. Writes the string if it is new.
OTF2_StringRef otter_archive_text(struct otter_archive_writer *archive, const char *string);

// Writes a group of `n` locations, or of their positions in the paradigm's group of locations.
void otter_archive_write_group(struct otter_archive_writer *archive, uint32_t id, const char *name,
                               OTF2_GroupType type, OTF2_Paradigm paradigm, size_t n,
                               const uint64_t *members);
