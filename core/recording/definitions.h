// What a journal says, as plain structs. The journal may be anybody's: every number is checked.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/status.h"
#include "otter/event.h"
#include "recording/totals.h"
#include "recording/writer.h"

enum { OTTER_MAX_SPACES = 64, OTTER_MAX_MARKS = 4096 };

struct otter_mark_definition {
    uint64_t time;
    uint32_t location;
    enum otter_construct construct;
    const char *text;
};

struct otter_module_definition {
    uint64_t begin, end, bias;
    char *build_id, *path;
};

struct otter_location_definition {
    enum otter_thread_kind kind;
    uint64_t os_thread;
};

struct otter_region_definition {
    bool is_defined;
    enum otter_construct construct;
    uint32_t detail;
    uint64_t address;
    uint32_t module;                   // index + 1; 0: none
    const char *label;                 // NULL: named by construct and address
    const char *raw_label, *qualifier; // with a label; "" for none
};

struct otter_team_definition {
    uint32_t parent;   // comm
    uint32_t size;     // as declared
    uint32_t *members; // location of each thread number; UINT32_MAX: never came
};

struct otter_device_definition {
    int number;
    const char *type;
};

struct otter_description {
    char *name, *value;
};

struct otter_journal_definitions {
    char *text; // the journal's, which the strings point into
    uint32_t schema;
    bool clock_is_counter, has_end;
    bool is_mapped; // chunks were files
    bool is_hidden; // see struct otter_journal_header
    size_t chunk_size;
    struct otter_clock_reading start, end; // `end`: the latest known
    uint64_t n_recorded;                   // events in event files; 0: not told
    uint64_t n_lost, n_repaired, n_unbegun, n_unfinished, n_unrecorded;
    uint64_t n_beyond;         // labels and code locations that were one too many, at least
    bool has_clock, has_start; // the journal told them
    uint64_t n_unread; // lines that could not be read; 1 more where the journal ends too early
    uint64_t n_unread_bytes; // of these, less what numbers that are missing account for

    struct otter_description *descriptions;
    struct otter_module_definition *modules;
    struct otter_location_definition *locations;
    struct otter_region_definition *regions;
    struct otter_team_definition *teams; // team i is comm i + 1
    const char *spaces[OTTER_MAX_SPACES];
    size_t n_spaces;
    struct otter_device_definition devices[OTTER_MAX_DEVICES];
    size_t n_devices;
    uint32_t streams[OTTER_MAX_STREAMS]; // the device of each
    size_t n_streams;
    struct otter_mark_definition *marks;
    size_t n_marks;
    size_t n_descriptions, n_modules, n_locations, n_regions, n_teams;
    struct otter_total *
        totals; // of each region, all locations together; NULL: none were kept. Not from the journal: see finish.c
};

// The value of a description, "" for one that was not told.
const char *otter_definitions_described(const struct otter_journal_definitions *definitions,
                                        const char *name);

// Whether all events were kept, as far as is known.
bool otter_definitions_are_complete(const struct otter_journal_definitions *definitions);

// The locations of an archive: the threads, then the streams of devices. What `location` of these was called while it was recorded.
static inline size_t otter_definitions_n_locations(const struct otter_journal_definitions *all)
{
    return all->n_locations + all->n_streams;
}
static inline uint32_t otter_definitions_recorded_id(const struct otter_journal_definitions *all,
                                                     size_t location)
{
    return (uint32_t)(location < all->n_locations
                          ? location
                          : OTTER_FIRST_STREAM + location - all->n_locations);
}

// Reads the journal of a recording, finished, cut off or damaged. OTTER_BAD_ARCHIVE: not a journal,
// or of a newer schema. OTTER_EMPTY: its recorder died before the head was whole. Lines that make
// no sense are passed over, and counted. The caller frees what is in `definitions`.
enum otter_status otter_definitions_read(const char *path,
                                         struct otter_journal_definitions *definitions);
void otter_definitions_free(struct otter_journal_definitions *definitions);

// Whether a definition of the number `id`, where `n` are known, may be one: the next, or one behind as many as lines that could not be
// read may have defined. So a journal is taken by what it has, not by what it claims.
bool otter_definitions_may_follow(const struct otter_journal_definitions *definitions, uint64_t id,
                                  size_t n);
// It is one: those in between were in lines that could not be read, and use them up.
void otter_definitions_follow(struct otter_journal_definitions *definitions, uint64_t id, size_t n);

// Makes the location `id`, which may follow, and those before it that no line defines: threads of which nothing is known. OTTER_NO_MEMORY.
enum otter_status
otter_definitions_add_unknown_threads(struct otter_journal_definitions *definitions, size_t id);
