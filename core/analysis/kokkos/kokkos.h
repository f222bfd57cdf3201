// Costs of Kokkos' labels, computed in one pass over the events of an archive. The memory in use
// depends on the number of labels and of their paths.
#pragma once

#include <stdbool.h>

#include "analysis/kokkos/kokkos_paths.h"
#include "analysis/time/quantiles.h"
#include "base/vector.h"
#include "trace/read/reader.h"

enum { OTTER_KERNEL_LINES = 4 }; // of a kernel: one for each Kokkos template that it uses

// The cost of a label over all threads. Times are in ticks.
struct otter_kokkos_cost {
    uint64_t n;       // number of starts
    uint64_t n_ended; // number of ends
    // how often an untied task resumed the region, so that its previous end was not final
    uint64_t n_continued;
    uint64_t total;    // from start to end; recursion counts once
    uint64_t min, max; // of one duration, or of a part in an untied task
    // ticks without those of Kokkos' constructs inside it; recursive calls count separately
    uint64_t exclusive;
    uint64_t outside; // the part of `total` that began outside of OpenMP's parallel regions
    uint64_t bytes;   // copied, allocated or deallocated
    uint64_t n_unknown, bytes_unknown; // deallocations of blocks allocated before the recording
    double byte_ticks;                 // bytes multiplied by the ticks from the archive's start
    struct otter_quantiles durations;
    // of allocations and deallocations: the time since the previous event, or until the next one
    uint64_t n_outside; // outside of OpenMP's parallel regions
    struct otter_quantiles gaps;
    // of launches that forked a team
    uint64_t n_forked;
    uint32_t n_regions; // different parallel regions; OTTER_KERNEL_LINES + 1: more
    uint32_t regions[OTTER_KERNEL_LINES];
    // from the start of the kernel to the start of the leader's part
    uint64_t latency;
    struct otter_quantiles launches; // durations without the leader's part in the team
};

// A memory space.
struct otter_kokkos_level {
    uint64_t n, last_time;    // of the samples
    uint64_t in_use;          // bytes in the last sample
    uint64_t high_water;      // bytes
    uint64_t most, most_time; // bytes in the largest sample, and the time of the first such sample
};

// The last sample of a memory space on the current location.
struct otter_kokkos_sample {
    bool is_there;
    uint64_t in_use;
};

struct otter_kokkos_frame { // a region that is open on the current location
    uint64_t begin;         // ticks, not counting earlier pauses
    uint32_t region, path;  // path: OTTER_NONE if there are too many paths
    bool is_outside;        // begun outside of OpenMP's parallel regions
    uint64_t inside;        // ticks of Kokkos' constructs inside this region
    uint32_t n_teams;       // open teams of a kernel
    bool has_forked;
    bool is_new_team; // a team has been forked, but its parallel region has not begun
    uint64_t team_begin;
    uint64_t in_teams; // ticks of the launching thread in its teams
};

enum otter_kokkos_resumption { // the records of an untied task's resumption that have been read
    OTTER_KOKKOS_NO_RESUMPTION = 0,
    OTTER_KOKKOS_SWITCHED, // a switch to a task
    OTTER_KOKKOS_RESUMED,  // the Enter of that untied task: its open regions are reopened
};

struct otter_kokkos {
    const struct otter_definitions *definitions;
    struct otter_kokkos_cost *costs;          // of each region
    struct otter_kokkos_level *levels;        // of each metric
    bool *has_samples;                        // of each location: has samples of a memory space
    struct otter_kokkos_sample *last_samples; // of each metric, on the current location
    uint64_t first_time, last_time;           // of all events
    bool has_events;
    bool is_short_of_memory; // the costs are invalid
    struct otter_kokkos_paths paths;
    uint32_t n_launching;   // locations that launched a kernel
    uint64_t ticks_kernels; // of these locations, in their outermost kernels

    // of the current location
    uint32_t location;
    uint64_t last_event; // time of the last event; UINT64_MAX: none
    uint32_t freed;      // region of the deallocation that was the last event; OTTER_NONE: none
    uint32_t n_open_kernels;
    uint32_t n_teams; // open teams
    bool has_launched;
    uint32_t *n_open; // of each region
    uint32_t entered; // region of the previous Enter; OTTER_NONE: no Enter
    uint64_t entered_bytes;
    enum otter_kokkos_resumption resumption;
    uint64_t resumption_time;
    struct {
        OTTER_VECTOR(struct otter_kokkos_frame);
    } open;
    uint64_t paused, paused_since; // ticks of all ended pauses; start of the last pause
    bool is_paused;
};

// Returns whether the archive contains Kokkos regions or metadata.
bool otter_kokkos_is_in(const struct otter_definitions *definitions);

// `definitions` must stay valid until finish.
enum otter_status otter_kokkos_init(struct otter_kokkos *kokkos,
                                    const struct otter_definitions *definitions);
void otter_kokkos_finish(struct otter_kokkos *kokkos);

// Adds an event. The caller adds all events of one location in order, then the events of the next.
// After the last event, the costs are valid unless `is_short_of_memory` is set.
void otter_kokkos_add(struct otter_kokkos *kokkos, const struct otter_event *event);
void otter_kokkos_end_location(struct otter_kokkos *kokkos);

// Completes the costs after the last event: a region that an untied task continued did not end
// earlier.
void otter_kokkos_conclude(struct otter_kokkos *kokkos);

// Returns a quantile of the durations, between the smallest and the largest.
uint64_t otter_kokkos_duration(const struct otter_kokkos_cost *cost, unsigned percent);

// Returns whether the recorder did not know the block of a deallocation, since the bytes in use did
// not change. Updates `last`, the last sample on this location.
bool otter_kokkos_is_unknown_block(struct otter_kokkos_sample *last,
                                   const struct otter_event *event);

// Returns the part of a region's description after the construct: "OpenMP", "Host <- Cuda",
// "user, OpenMP" or "".
const char *otter_kokkos_where(const struct otter_region *region);
