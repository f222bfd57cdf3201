// A taskwait or taskgroup at which one task waits again and again on the span path.
#pragma once

#include "analysis/analysis.h"

struct otter_repeated_wait {
    uint32_t region; // OTTER_NONE: there is none
    uint64_t n;      // waits on the path
};

// A part of the span path is between two waits of the same task at one place. Finds the place with
// the largest part, if it is half of the span or more. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_repeated_wait_find(const struct otter_analysis *analysis,
                                           struct otter_repeated_wait *wait);
