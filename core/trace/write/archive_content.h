// The content of an archive apart from its events: the input of the archive writer.
//
// The owner of the content frees its arrays and strings. Any thread may read it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "otter/event.h"
#include "trace/schema.h"

struct otter_mark_definition {
    uint64_t time; // ticks
    uint32_t location;
    enum otter_construct construct;
    const char *text;
};

struct otter_module_definition {
    uint64_t begin, end, bias; // addresses
    char *build_id, *path;
};

struct otter_location_definition {
    enum otter_thread_kind kind;
    uint64_t os_thread; // 0: unknown, because the journal has no line of this thread
};

struct otter_region_definition {
    bool is_defined;
    enum otter_construct construct;
    uint32_t detail;
    uint64_t address;
    uint32_t module;                   // index of the module + 1; 0: none
    const char *label;                 // NULL: the name is construct and address
    const char *raw_label, *qualifier; // only for a label; "" for none
};

struct otter_team_definition {
    uint32_t parent;   // communicator of the forking task
    uint32_t size;     // number of members, as the runtime reported it
    uint32_t *members; // location of each thread number; UINT32_MAX: the member was not recorded
    // Members of a communicator of processes are ranks in the world. Its identity is equal in all
    // processes of the job, and it has no parent.
    bool is_of_processes;
    uint64_t identity;
    const char *name; // NULL for threads
};

struct otter_device_definition {
    int number;
    const char *type;
};

struct otter_description {
    char *name, *value;
};

// Code that was called from other code: the root of a call chain has no parent.
struct otter_context_definition {
    uint32_t region;
    uint32_t parent; // an earlier context, or OTTER_CONTEXT_NONE
};
#define OTTER_CONTEXT_NONE UINT32_MAX

// Recorded events of a location that no file contains any more: the file was removed or damaged.
struct otter_missing_events {
    size_t location;
    uint64_t least, most;
};

// Totals of one region over all locations, in ticks.
struct otter_region_total {
    uint64_t n_visits;
    uint64_t inclusive;
    uint64_t exclusive;
};

struct otter_archive_content {
    uint32_t schema;
    size_t chunk_size; // bytes, of event files
    bool clock_is_counter;
    bool has_end;                          // recording ended properly
    struct otter_clock_reading start, end; // `end` may be the latest known time
    uint64_t n_lost, n_repaired, n_unbegun, n_unfinished, n_unrecorded;
    uint64_t n_beyond; // at least this many labels and code locations exceed the limit of regions
    uint64_t n_unread; // damaged lines of the journal
    uint64_t n_lost_samples; // samples that were recorded, but are not in the archive
    uint64_t n_cut_samples;  // samples with unknown callers

    struct otter_description *descriptions;
    struct otter_module_definition *modules;
    struct otter_location_definition *locations; // threads
    struct otter_region_definition *regions;
    struct otter_team_definition *teams; // team i is communicator i + 1
    struct otter_mark_definition *marks;
    size_t n_descriptions, n_modules, n_locations, n_regions, n_teams, n_marks;
    const char *spaces[OTTER_MAX_SPACES];
    struct otter_device_definition devices[OTTER_MAX_DEVICES];
    uint32_t streams[OTTER_MAX_STREAMS]; // the device of each stream
    uint32_t *processors; // numbers of the processors; each has a location with switches
    size_t n_spaces, n_devices, n_streams, n_processors;
    uint32_t *sampled; // the kernel's numbers of threads; each has a location with samples
    struct otter_context_definition *contexts;
    size_t n_sampled, n_contexts;
    struct otter_region_total *totals; // one for each region; NULL: no totals were recorded
    struct otter_missing_events *missing;
    size_t n_missing;
};

// Returns the value of the last description of this name, or "".
const char *otter_content_description(const struct otter_archive_content *content,
                                      const char *name);

// Returns how many counters the setting names.
size_t otter_content_n_counters(const struct otter_archive_content *content);
// Writes the name of counter `i`, from 0; "": there is none.
void otter_content_counter(const struct otter_archive_content *content, size_t i,
                           char name[OTTER_COUNTER_SIZE]);

// Returns the number of the last module defined at the address, from 1; 0: none. Earlier modules at
// the address may have been unloaded.
uint32_t otter_content_module_at(const struct otter_archive_content *content, uint64_t address);

// Returns whether the archive has all events, as far as the recording shows.
bool otter_content_is_complete(const struct otter_archive_content *content);

// Returns the number of the job's processes that the communicators contain; 0: there is no MPI
// communicator.
uint32_t otter_content_n_ranks(const struct otter_archive_content *content);

// Returns the class of the first counter's metric. Those of the others follow.
static inline uint32_t otter_content_counter_class(const struct otter_archive_content *content)
{
    return (uint32_t)content->n_spaces + (content->n_processors > 0);
}

// Returns the number of regions that the archive defines.
static inline size_t otter_content_n_regions(const struct otter_archive_content *content)
{
    return content->n_regions < OTTER_REGION_FIRST ? OTTER_REGION_FIRST : content->n_regions;
}

// Returns the number of locations that execute something: threads, then streams of devices.
static inline size_t otter_content_n_executing(const struct otter_archive_content *content)
{
    return content->n_locations + content->n_streams;
}

// Returns the number of all locations: those that execute, then processors, then samples.
static inline size_t otter_content_n_locations(const struct otter_archive_content *content)
{
    return otter_content_n_executing(content) + content->n_processors + content->n_sampled;
}

// Returns the number that a location of the archive had while it was recorded.
static inline uint32_t otter_content_recorded_id(const struct otter_archive_content *content,
                                                 size_t location)
{
    size_t n_executing = otter_content_n_executing(content);
    if (location >= n_executing) {
        return (uint32_t)(OTTER_FIRST_PROCESSOR + location - n_executing);
    }
    return (uint32_t)(location < content->n_locations
                          ? location
                          : OTTER_FIRST_STREAM + location - content->n_locations);
}
