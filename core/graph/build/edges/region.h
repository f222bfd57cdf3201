// The effect of each region on the graph.
#pragma once

#include "trace/read/reader.h"

enum otter_region_class {
    OTTER_CLASS_NONE = 0,
    OTTER_CLASS_INITIAL,
    OTTER_CLASS_TEAM, // a member's part of a parallel or teams region
    OTTER_CLASS_TASK,
    OTTER_CLASS_SCOPE,
    OTTER_CLASS_TARGET,
    OTTER_CLASS_TASKGROUP,
    OTTER_CLASS_ORDERED,        // a member waits for its turn, then executes its block
    OTTER_CLASS_ORDERED_BLOCK,  // the block itself
    OTTER_CLASS_TASKGROUP_WAIT, // this class and those below wait
    OTTER_CLASS_TASKWAIT,
    OTTER_CLASS_TASKWAIT_DEPEND,
    OTTER_CLASS_BARRIER,
    OTTER_CLASS_SYNC, // a wait that joins nothing
    OTTER_CLASS_OPERATION,
};

static inline bool otter_is_wait(uint8_t class)
{
    return class >= OTTER_CLASS_TASKGROUP_WAIT;
}

struct otter_regions {
    uint8_t *class; // enum otter_region_class of each region
    uint8_t *flags; // enum otter_task_flag of each region
};

// *Returns* false if out of memory; then the caller calls otter_regions_finish().
bool otter_regions_init(struct otter_regions *regions, const struct otter_definitions *definitions);
void otter_regions_finish(struct otter_regions *regions);
