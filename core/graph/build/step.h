// The steps of a task.
#pragma once

#include "graph/build/edges/parts.h"

enum otter_step_kind {
    OTTER_STEP_RUN,   // begins or continues on this location
    OTTER_STEP_PAUSE, // another task runs on top of this one
    OTTER_STEP_AWAY,  // leaves this location; an untied task may continue on another one
    OTTER_STEP_BACK,  // begins, or continues after OTTER_STEP_AWAY
    OTTER_STEP_CREATE,
    OTTER_STEP_UNDEFERRED, // an undeferred child has ended
    OTTER_STEP_ENTER,
    OTTER_STEP_LEAVE,
    OTTER_STEP_LIST, // depend clause of the construct that was just entered
    OTTER_STEP_FORK,
    OTTER_STEP_JOIN,
    OTTER_STEP_SOURCE,
    OTTER_STEP_SINK,
    OTTER_STEP_FULFIL,
    OTTER_STEP_OPERATION,
};

struct otter_step {
    uint64_t time;
    uint32_t task;
    uint32_t index;                  // child, region, fork, operation or fulfilled task
    uint32_t first_entry, n_entries; // range of entries in struct otter_dependences
    uint32_t order;                  // position in reading order, among the task's logged steps
    uint16_t location;
    uint8_t kind;    // enum otter_step_kind
    bool is_at_once; // a created child begins at the same time on this location
    bool is_adopted; // the runtime reports another creator of the child
    bool is_serial;  // the team has one thread
    bool is_copy;    // the recorder left or entered the construct, not the program
};

// Executes a step of the task of `context`.
void otter_step_do(struct otter_parts *parts, struct otter_context *context,
                   const struct otter_step *step);
// Leaves everything that is open: the task will not execute again.
void otter_step_finish(struct otter_parts *parts, struct otter_context *context, uint64_t time);
