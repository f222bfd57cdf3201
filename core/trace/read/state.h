// The state of an open archive.
#pragma once

#include <otf2/otf2.h>

#include "trace/read/checked/check.h"
#include "trace/lists.h"
#include "trace/read/reader.h"

struct otter_group {
    const char *name;
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    uint64_t *members;
    size_t n_members;
    uint32_t *locations; // indexes of the members; NULL until a communicator needs them
};

struct otter_metric_member {
    const char *name, *unit;
    OTF2_Type type;
};

struct otter_location_group {
    const char *name, *host;
    OTF2_LocationGroupType type;
    uint32_t creator;             // index of the creating group; OTTER_NONE: none
    uint32_t rank;                // index of the rank; OTTER_NONE: none
    struct otter_list properties; // struct otter_property
};

struct otter_marker_place {
    OTF2_MarkerScope scope;
    uint64_t id;   // number of the location or process to which the marker applies
    uint32_t rank; // index of the rank; OTTER_NONE: all ranks
};

struct otter_system_tree_node {
    const char *name;
    bool is_node;    // else a machine, or a part of a node
    uint32_t parent; // index of the parent node; OTTER_NONE: none
};

// The event files that can be read, of the archive or of the selected rank.
struct otter_event_files {
    OTF2_Reader *reader; // reader of the archive or of the rank
    bool are_open;
    uint64_t first_tick;           // first tick of the files' clock
    struct otter_tick_range ticks; // range of valid event times
    uint64_t *n_readable;          // number of events of each location before the first damage
};

// The definitions of the selected rank, with the indexes of its own archive.
struct otter_rank_view {
    OTF2_Reader *reader;
    char *folder; // path with which otter_archive_open selects this rank
    struct otter_list locations, regions, comms, parameters, metrics, contexts, markers;
    uint32_t *local;           // index in this view of each location of the archive, or OTTER_NONE
    uint32_t **members;        // members of each group; NULL until a communicator needs them
    struct otter_list sources; // texts of the regions' source lines
    // these have no tables
    struct otter_ids region_ids, comm_ids, parameter_ids, metric_ids, context_ids;
};

struct otter_archive {
    OTF2_Reader *reader;
    struct otter_definitions definitions; // its arrays are the items of the lists below
    char *folder, *anchor, *creator, *machine;
    uint64_t event_chunk_size, definition_chunk_size;
    struct otter_event_files files;
    bool is_short_of_memory; // set by a callback, which then stops the reading

    struct otter_list strings, texts, locations, regions, comms, parameters;
    struct otter_list metrics, metric_members, contexts;
    struct otter_list groups, location_groups, properties, system_tree;
    struct otter_list markers, marker_kinds;
    struct otter_list group_of_location; // uint32_t, index of a location group; OTTER_NONE: none
    struct otter_list group_of_comm;     // uint32_t, index of a group; OTTER_NONE: none
    struct otter_list marker_places;     // struct otter_marker_place, one for each marker
    struct otter_list ranks, group_of_rank;
    struct otter_list sources;      // texts of the regions' source lines
    bool is_shared;                 // the lists belong to another archive
    struct otter_definitions whole; // definitions of a merged archive while no rank is selected
    struct otter_rank_view view;
    // For each paradigm, the number (from 1) of the group of locations in which members of its
    // other groups are positions.
    uint32_t location_lists[UINT8_MAX + 1];
    struct otter_ids string_ids, location_ids, region_ids, comm_ids, parameter_ids;
    struct otter_ids group_ids, location_group_ids, metric_ids, metric_member_ids;
    struct otter_ids marker_kind_ids, system_tree_ids, attribute_ids, window_ids, context_ids,
        generator_ids;
    // The numbers by which events refer to definitions: the numbers above, or the numbers of the
    // selected rank.
    const struct otter_ids *event_regions, *event_comms, *event_parameters, *event_metrics,
        *event_contexts;

    uint32_t *same_regions; // see otter_archive_merge_regions; NULL: regions stay as they are

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
