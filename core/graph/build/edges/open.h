// The constructs that tasks have entered but not left, grouped by task. The innermost construct of
// each task is last.
#pragma once

#include "graph/build/edges/chain.h"

struct otter_open_construct {
    uint64_t start;
    uint64_t wait_start; // start of a taskgroup's wait
    uint32_t region;
    uint32_t begin;    // start node, or OTTER_NONE
    uint32_t outer;    // the enclosing scope
    uint32_t unjoined; // of a taskgroup: first unjoined child of the task when the taskgroup began
    // of a taskgroup: its join scope; of a target construct: index in `targets`; of an ordered
    // block: the order of its acquisition
    uint32_t scope;
    uint32_t group;      // open construct of the enclosing taskgroup, or OTTER_NONE
    uint16_t n_waits;    // number of open waits of the task after it entered this construct
    uint8_t class;       // enum otter_region_class
    bool has_waited;     // a taskgroup whose wait has begun
    bool is_interrupted; // an operation that is interrupted, in the fragments view
};

struct otter_open_constructs {
    OTTER_VECTOR(struct otter_open_construct);
};

// *Returns* the innermost construct of the task; NULL if there is none.
static inline struct otter_open_construct *otter_open_top(struct otter_open_constructs *open,
                                                          const struct otter_context *context)
{
    return open->n > context->first_open ? &open->items[open->n - 1] : NULL;
}

// Ends and begins the parts of an operation on device data, around other actions of its task.
// In the structure view an operation is a single node.
void otter_open_interrupt(struct otter_open_constructs *open, struct otter_store *store,
                          struct otter_context *context, uint64_t time);
void otter_open_resume(struct otter_open_constructs *open, const struct otter_store *store,
                       const struct otter_context *context, uint64_t time);

// Begin and end a wait. A waiting task has no fragment.
void otter_open_begin_wait(struct otter_store *store, struct otter_context *context, uint64_t time);
void otter_open_end_wait(struct otter_open_constructs *open, struct otter_store *store,
                         struct otter_context *context, uint64_t time);
