// The ends of tasks: fulfilments, and ends with an undeferred child.
#pragma once

#include "graph/build/edges/store.h"

struct otter_fulfilment {
    uint64_t time;
    uint32_t task;
    uint32_t by;         // node that fulfils the event, or OTTER_NONE
    uint32_t undeferred; // child of the fulfilling task that has just ended, or OTTER_NONE
    uint16_t location;
    bool is_by_nobody; // fulfilled by a thread without a task
};

// A task, and the undeferred child that is its last action.
struct otter_tail {
    uint32_t task, child;
};

struct otter_ends {
    OTTER_LIST(struct otter_fulfilment) fulfilments;
    OTTER_LIST(struct otter_tail) tails;
    uint32_t *fulfils; // `fulfil` node of each task, or OTTER_NONE; NULL: no task has one
};

// ---- after the last location

// Makes the `fulfil` node of each detached task, with an entry in alias[].
void otter_ends_fulfil(struct otter_ends *ends, struct otter_store *store, uint32_t *alias);
// Copies the edges that leave the end of a body to the body's last undeferred child.
void otter_ends_copy_tails(const struct otter_ends *ends, struct otter_store *store);
// Replaces each task that an edge leaves by a node, and makes `fulfil` the last node of its task.
void otter_ends_complete(const struct otter_ends *ends, struct otter_store *store);
