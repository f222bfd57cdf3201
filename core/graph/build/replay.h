// The steps of untied tasks, which may continue on another location.
#pragma once

#include "graph/build/step.h"

// The steps of a task in the order of reading; OTTER_NONE if there are none.
struct otter_logged_task {
    uint32_t first, last;
};

// A range of entries in struct otter_dependences.
struct otter_logged_entries {
    uint32_t first, n;
};

struct otter_log_block;

struct otter_log {
    OTTER_LIST(struct otter_log_block *) blocks; // a block is freed when its steps are executed
    uint32_t n_steps;                            // always less than OTTER_NONE
    uint64_t room;                               // number of steps that fit into the blocks
    OTTER_LIST(struct otter_logged_task) tasks;
    OTTER_LIST(struct otter_logged_entries) entries;
};

void otter_log_add(struct otter_log *log, struct otter_parts *parts, const struct otter_step *step);
// Executes all steps, after the last location, and frees the log.
void otter_log_replay(struct otter_log *log, struct otter_parts *parts);
void otter_log_finish(struct otter_log *log);
