// The memory of Kokkos by label and space: allocations, and what was in use at the high water.
//
// The memory in use depends only on labels and spaces. The high water of a space is known only
// after all events. So locations with allocations are read a second time, up to the last of these.
#pragma once

#include "analysis/kokkos/kokkos.h"

// The blocks of one label in one space. Labels that differ beyond their first 119 bytes are one,
// because Kokkos before 4 reports the end of a block's life with a shorter label.
struct otter_memory_use {
    uint32_t region;   // of an allocation, else of a deallocation
    const char *space; // "Host"
    uint64_t n_allocated, n_freed, bytes_allocated, bytes_freed;
    uint64_t n_unknown, bytes_unknown; // of the freed ones: allocated before the recording
    uint64_t n_left, bytes_left;       // never freed
    uint64_t n_high, bytes_high;       // in use at the high water of the space
    double mean;                       // bytes in use over the wall time
    uint64_t calls, calls_alone;       // ticks of the calls; outside of OpenMP parallel regions
};

struct otter_memory_uses {
    struct otter_memory_use *items; // the most bytes at the high water first
    uint32_t n;
    const struct otter_kokkos *kokkos;
    // of the second reading
    uint32_t *use_of;     // of each region
    uint64_t *high_times; // of each use: the time of the high water of its space
    int64_t *n_at_high, *bytes_at_high;
    uint64_t last_high_time;
    struct otter_kokkos_sample *last_samples; // of each metric, on the current location
    uint32_t location;
    uint32_t entered; // region of the previous Enter
    uint64_t bytes;   // of the previous parameter
};

// After otter_kokkos_conclude. `kokkos` must outlive the result.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_memory_uses_init(struct otter_memory_uses *uses,
                                         const struct otter_kokkos *kokkos);
// The second reading. The signature is that of otter_event_function. Returns false when no further
// event of the location matters.
bool otter_memory_uses_add(void *uses, const struct otter_event *event);
// Ends the second reading, or omits it: then the blocks at the high water are 0.
void otter_memory_uses_end(struct otter_memory_uses *uses);
void otter_memory_uses_finish(struct otter_memory_uses *uses);
