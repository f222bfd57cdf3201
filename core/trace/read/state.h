// The state of an archive that is read.
#pragma once

#include <otf2/otf2.h>

#include "trace/read/lists.h"
#include "trace/read/reader.h"

struct otter_group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    uint64_t *members;
    size_t n_members;
    uint32_t *locations; // indexes of the members; NULL: no communicator has needed them
};

struct otter_metric_member {
    const char *name, *unit;
    OTF2_Type type;
};

struct otter_archive {
    OTF2_Reader *reader;
    struct otter_definitions definitions; // its pointers are those of the members below
    char *folder, *anchor, *creator, *machine;
    uint64_t event_chunk_size, definition_chunk_size;
    bool events_are_open;
    uint64_t *n_readable;    // of each location: events before a damage; UINT64_MAX: all
    bool is_short_of_memory; // set by a callback, which then stops the reading

    struct otter_list strings, texts, locations, regions, comms, parameters;
    struct otter_list metrics, metric_members;
    struct otter_list groups, location_groups, properties;
    struct otter_list markers, marker_kinds;
    // By paradigm: the number, from 1, of the group whose positions are members of other groups.
    uint32_t location_lists[UINT8_MAX + 1];
    struct otter_ids string_ids, location_ids, region_ids, comm_ids, parameter_ids;
    struct otter_ids group_ids, location_group_ids, metric_ids, metric_member_ids;
    struct otter_ids marker_kind_ids;

    uint32_t *same_regions; // of each region; NULL: each is its own

    // For the event callbacks.
    otter_event_function *function;
    void *user;
    uint32_t location;
    uint64_t n_passed;
    bool is_stopped;
    otter_watch_function *watch;
    void *watch_user;
    uint64_t n_watched; // events since `watch` was set
};
