// What Kokkos did, in numbers: gathered from the events of an archive in one pass, in memory for its definitions alone.
#pragma once

#include <stdbool.h>

#include "base/vector.h"
#include "trace/read/reader.h"

// What a label cost, in ticks. Threads are added up.
struct otter_kokkos_cost {
    uint64_t n;           // begun; of a section, started
    uint64_t n_ended;     // of a section, stopped
    uint64_t n_continued; // opened again where an untied task goes on: the part before was no end
    uint64_t total; // between begin and end, or start and stop; what is inside itself counts once
    uint64_t sum;   // of all that ended, also inside itself: for the mean
    uint64_t min, max; // of one, or of a part in an untied task; not of a section
    uint64_t bytes;    // copied, allocated or given back
    uint64_t first;    // time of the first begin
};

// A memory space.
struct otter_kokkos_level {
    uint64_t n, last_time; // of samples
    uint64_t in_use;       // bytes, at the last one
    uint64_t high_water;   // bytes
};

struct otter_kokkos_frame { // open on the location that is being read
    uint64_t begin;         // less what was paused before
    uint32_t region;
};

enum otter_kokkos_resumption { // where an untied task goes on, all on one timestamp
    OTTER_KOKKOS_NO_RESUMPTION = 0,
    OTTER_KOKKOS_SWITCHED, // to a task
    OTTER_KOKKOS_RESUMED,  // which is an untied one: what it had open is opened again
};

struct otter_kokkos {
    const struct otter_definitions *definitions;
    struct otter_kokkos_cost *costs;   // of each region
    struct otter_kokkos_level *levels; // of each metric
    uint64_t first_time, last_time;    // of any event
    bool has_events;
    uint64_t n_too_deep;     // begun inside too much else: counted, without their time
    bool is_short_of_memory; // what was taken is worth nothing

    // of the location that is being read
    uint32_t *n_open; // of each region
    uint32_t entered; // by the event before, OTTER_NONE: none
    enum otter_kokkos_resumption resumption;
    uint64_t resumption_time;
    struct {
        OTTER_VECTOR(struct otter_kokkos_frame);
    } open;
    uint64_t paused,
        paused_since; // on that location: all pauses that are over; the one that is not
    bool is_paused;
};

// Whether the archive holds anything of Kokkos.
bool otter_kokkos_is_in(const struct otter_archive *archive);

// `definitions` are used until the end.
enum otter_status otter_kokkos_init(struct otter_kokkos *kokkos,
                                    const struct otter_definitions *definitions);
void otter_kokkos_finish(struct otter_kokkos *kokkos);

// Each event, location by location, each in its order; and where a location ends. See `is_short_of_memory` when all are taken.
void otter_kokkos_take(struct otter_kokkos *kokkos, const struct otter_event *event);
void otter_kokkos_end_location(struct otter_kokkos *kokkos);

// Once all events are taken: what went on in an untied task did not end before; sections that are still running last until the last event. A time that cannot be, because
// events are missing, becomes UINT64_MAX.
void otter_kokkos_conclude(struct otter_kokkos *kokkos);

// What stands behind the construct in a region's description: "OpenMP", "Host <- Cuda", "user, OpenMP"; "".
const char *otter_kokkos_where(const struct otter_region *region);
