// More about explicit tasks by label: work including their descendants, cost of creation,
// distribution over threads.
#pragma once

#include "analysis/analysis.h"

// The tasks of one struct otter_task_use. Times are ticks.
struct otter_task_detail {
    uint64_t inclusive;     // work of these tasks and all their descendants, each counted once
    uint64_t creating;      // ticks that their creation cost their creators
    uint64_t p99_queued;    // from ready to started
    uint64_t most;          // work on the thread that executed most of it
    uint32_t creator;       // the first label that created some of them; OTTER_NONE: unknown
    bool has_more_creators; // other labels also created some
};

struct otter_task_details {
    struct otter_task_detail *items; // in the order of analysis.tasks
    uint32_t n;
};

// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_task_details_init(struct otter_task_details *details,
                                          const struct otter_analysis *analysis);
void otter_task_details_finish(struct otter_task_details *details);
