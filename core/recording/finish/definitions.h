// Reads the definitions of a recording from its journal (core/recording/journal.h).
//
// The journal may be damaged or forged, so every number is checked.
// *Thread*: one at a time for each struct.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/write/archive_content.h"

// The last chunk that a location began.
struct otter_begun_chunk {
    bool has_begun;
    uint64_t n_events; // events of the location before this chunk
};

struct otter_journal_definitions {
    struct otter_archive_content content;
    char *text;                // the journal's text, which the strings of `content` point into
    bool has_clock, has_start; // whether the journal has the lines `clock` and `start`
    bool is_mapped;            // chunks were mapped files
    bool is_hidden;            // see struct otter_journal_header
    // last chunk of each location, by the location's number during recording
    struct otter_begun_chunk *begun;
    size_t n_begun;
    uint64_t n_recorded;     // events in event files at the recording's end; 0: unknown
    uint64_t n_unread_bytes; // bytes of unread lines that may still define numbers: see gaps.h
};

// Reads the journal of a recording, whether finished, truncated or damaged. Unread lines are
// counted.
// The caller calls otter_definitions_free, even after a failure.
// *Errors*: OTTER_BAD_ARCHIVE: not a journal, or one with a newer schema; OTTER_EMPTY: the recorder
// ended before the journal's head was complete; OTTER_NO_MEMORY; otherwise from errno.
enum otter_status otter_definitions_read(const char *path,
                                         struct otter_journal_definitions *definitions);
void otter_definitions_free(struct otter_journal_definitions *definitions);
