// Kokkos memory by label and space: allocations, and the bytes in use at the high-water mark.
//
// The high-water mark of a space is known only after all events have been read. So locations with
// allocations are read a second time, up to the last of these marks.
#pragma once

#include "analysis/kokkos/kokkos.h"

// The blocks of one label in one space. Labels that differ only beyond their first 119 bytes are
// merged, because Kokkos before 4 truncates the label when it reports a deallocation.
struct otter_memory_use {
    uint32_t region;   // of an allocation, otherwise of a deallocation
    const char *space; // "Host"
    uint64_t n_allocated, n_freed, bytes_allocated, bytes_freed;
    uint64_t n_unknown, bytes_unknown; // of those freed: allocated before the recording
    uint64_t n_left, bytes_left;       // never freed
    uint64_t n_high, bytes_high;       // in use at the space's high-water mark
    double mean;                       // bytes in use over the wall time
    uint64_t calls, calls_outside;     // ticks of the calls; outside of OpenMP parallel regions
};

struct otter_memory_uses {
    struct otter_memory_use *items; // in descending order of bytes at the high-water mark
    uint32_t n;
    const struct otter_kokkos *kokkos;
    // of the second pass
    uint32_t *use_of;     // of each region
    uint64_t *high_times; // of each use: the time of its space's high-water mark
    int64_t *n_at_high, *bytes_at_high;
    uint64_t last_high_time;
    struct otter_kokkos_sample *last_samples; // of each metric, on the current location
    uint32_t location;
    uint32_t entered; // region of the previous Enter
    uint64_t bytes;   // of the previous parameter
};

// Call this after otter_kokkos_conclude. `kokkos` must outlive the result. Returns OTTER_NO_MEMORY
// or OTTER_OK.
enum otter_status otter_memory_uses_init(struct otter_memory_uses *uses,
                                         const struct otter_kokkos *kokkos);
// Adds an event in the second pass. The signature matches otter_event_function. Returns false if no
// later event of the location matters.
bool otter_memory_uses_add(void *uses, const struct otter_event *event);
// Ends the second pass. Without one, the blocks at the high-water mark stay unknown.
void otter_memory_uses_end(struct otter_memory_uses *uses);
void otter_memory_uses_finish(struct otter_memory_uses *uses);
