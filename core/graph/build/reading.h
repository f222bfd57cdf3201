// The state of the location that is read.
#pragma once

#include "graph/build/number.h"
#include "graph/build/stack.h"

// A creation whose parameters are read next.
struct otter_create_pending {
    uint64_t time;
    uint32_t task, first_entry;
    bool is_pending, is_adopted;
};

// The entries of the construct that was just entered, or of a source or sink.
struct otter_list_pending {
    uint64_t time;
    uint32_t first;
    uint8_t kind; // OTTER_STEP_LIST, SOURCE or SINK; OTTER_STEP_RUN: no list is pending
};

// The known facts about the end of a task, which takes several records.
struct otter_end_pending {
    uint32_t left_task; // the task whose region was left last
    uint64_t left_time;
    bool left_is_undeferred;
    bool never_ran, is_cancelled; // parameters about the task that ends next
    uint32_t never_ran_region;    // region of that task
};

struct otter_reading {
    struct otter_stack stack;
    struct otter_numbers numbers;
    enum otter_record before; // the last record that is not a parameter
    uint64_t switch_time;     // time of the last switch to a task that was not on the stack
    struct otter_create_pending pending;
    struct otter_list_pending list;
    struct otter_end_pending end;
};
