// What the files of the reader share.
#pragma once

#include <otf2/otf2.h>

#include "trace/read/reader.h"

// The archive's numbers of one kind of definition. In most archives the number is the index, and nothing need be kept.
struct otter_ids {
    struct otter_id {
        uint64_t id;
        uint32_t index; // OTTER_NONE: the place is free
    } *table;           // by hash; NULL while all numbers are indexes
    size_t n, room;     // `room`: of the table, a power of two
    bool has_twice;     // a number was defined again: the first one holds
};

// A list that grows.
struct otter_list {
    void *items;
    size_t n, room;
};

struct otter_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    uint64_t *members;
    size_t n_members;
    uint32_t *locations; // that the members are, as indexes; NULL: no communicator has asked
};

struct otter_metric_member {
    const char *name, *unit;
    OTF2_Type type;
};

struct otter_archive {
    OTF2_Reader *reader;
    struct otter_definitions definitions; // points into what follows
    char *folder, *anchor, *creator, *machine;
    uint64_t event_chunk_size, definition_chunk_size;
    bool events_are_open;
    uint64_t *n_readable;    // of each location: events before a damage; UINT64_MAX: all
    bool is_short_of_memory; // set by a callback, which then stops the reading

    struct otter_list strings, texts, locations, regions, comms, parameters;
    struct otter_list metrics, metric_members;
    struct otter_list groups, location_groups, properties;
    struct otter_list markers, marker_kinds;
    uint32_t
        location_lists[UINT8_MAX + 1]; // by paradigm: the group, from 1, that others point into
    struct otter_ids string_ids, location_ids, region_ids, comm_ids, parameter_ids;
    struct otter_ids group_ids, location_group_ids, metric_ids, metric_member_ids;
    struct otter_ids marker_kind_ids;

    // what the event callbacks need
    otter_event_function *function;
    void *user;
    uint32_t location;
    uint64_t n_passed;
    bool is_stopped;
};

// reader_lists.c. An item of `size` zero bytes, or NULL.
void *otter_list_add(struct otter_list *list, size_t size);
// The next index is for `id`; false when memory is short.
bool otter_ids_add(struct otter_ids *ids, uint64_t id);
uint32_t otter_ids_look_up(const struct otter_ids *ids, uint64_t id);

static inline uint32_t otter_ids_find(const struct otter_ids *ids, uint64_t id)
{
    if (!ids->table) {
        return id < ids->n ? (uint32_t)id : OTTER_NONE;
    }
    return otter_ids_look_up(ids, id);
}

// reader_definitions.c
enum otter_status otter_reader_read_definitions(struct otter_archive *archive,
                                                struct otter_complaint *complaint);
void otter_reader_free_definitions(struct otter_archive *archive);

// reader_markers.c
enum otter_status otter_reader_read_markers(struct otter_archive *archive);
void otter_reader_free_markers(struct otter_archive *archive);

// reader_locate.c. Sets folder and anchor.
enum otter_status otter_reader_set_paths(struct otter_archive *archive, const char *path,
                                         struct otter_complaint *complaint);
// Length of "<folder>/traces" of "<folder>/traces.otf2": what the names of all files of the archive begin with.
int otter_reader_stem_length(const char *anchor);

// reader_names.c
const char *otter_reader_role_name(OTF2_RegionRole role);
const char *otter_reader_paradigm_name(OTF2_Paradigm paradigm);

// reader_events.c: a new table of callbacks, or NULL. Events of `archive->location` go to `archive->function`.
OTF2_EvtReaderCallbacks *otter_reader_event_callbacks(void);

enum otter_status otter_complain(struct otter_complaint *complaint, enum otter_status status,
                                 const char *format, ...) __attribute__((format(printf, 3, 4)));
