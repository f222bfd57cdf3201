// Merges the definitions of several archives into one archive. Event files do not change.
//
// Identical regions, parameters, metrics, groups and communicators of several archives share a
// number; the local definitions of each location map the numbers in its events. Locations of rank r
// are numbered from first_location, in the order of its archive.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "trace/merge/clock_map.h"
#include "trace/read/reader.h"

struct otter_merge_rank {
    const char *archive; // the folder of the rank's archive
    const char *name;    // name of the rank's process
    uint32_t number;     // rank of the process in its job
    uint32_t node;       // index of the process's host
    uint64_t first_location;
    size_t n_locations;
    uint64_t first_tick, last_tick; // first and last tick of the rank's own clock
    struct otter_clock clock;       // the rank's clock, in ticks of the merged archive
    struct otter_clock_map map;
    uint64_t clock_deviation_ns;
    const struct otter_property *properties; // properties of the rank's archive
    size_t n_properties;
    // how many definitions of each kind the rank's archive has
    size_t n_regions, n_comms, n_parameters, n_metrics, n_contexts;
};

// The owner of the plan frees its arrays and texts.
struct otter_merge_plan {
    struct otter_merge_rank *ranks; // sorted by number
    size_t n_ranks;
    const char *const *hosts; // names of nodes
    size_t n_hosts;
    const char *machine, *description;
    struct otter_clock clock;
    const struct otter_property *properties; // properties of the merged archive
    size_t n_properties;
    uint64_t n_locations;
    size_t event_chunk, definition_chunk; // bytes
};

// *Returns* the chunk size for definitions whose largest record has at most `n_bytes`.
size_t otter_merge_definition_chunk(size_t n_bytes);

// Creates `folder`: traces.otf2, traces.def, traces.marker if an archive has markers, and
// traces/<location>.def. The caller adds the event files.
// *Thread*: one at a time in the process, because OTF2 has one error callback.
// *Errors*: OTTER_BAD_ARCHIVE: an archive has changed, and *complaint is a sentence; otherwise from
// errno, and *complaint is "". Files may remain.
enum otter_status otter_merge_write(const char *folder, const struct otter_merge_plan *plan,
                                    struct otter_complaint *complaint);
