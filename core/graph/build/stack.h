// The stack of tasks of the location that is read.
//
// A tied task remains on the stack until its end. Steps of untied tasks are stored in the log.
#pragma once

#include "graph/build/replay.h"

struct otter_stack {
    struct otter_parts *parts;
    struct otter_log log;
    uint32_t location;                         // OTTER_NONE before the first location
    uint32_t n_forks;                          // forks on this location, even during pauses
    uint64_t time;                             // time of the current event
    uint64_t resumed;                          // end of the last pause, or 0
    OTTER_LIST(struct otter_context) contexts; // the current task is the last
    OTTER_LIST(uint32_t) open_forks;
};

// *Returns* false if out of memory; then the caller calls otter_stack_finish().
bool otter_stack_init(struct otter_stack *stack, struct otter_parts *parts);
void otter_stack_finish(struct otter_stack *stack);

// *Returns* the current task. The stack must not be empty: see otter_stack_need().
static inline struct otter_context *otter_stack_top(const struct otter_stack *stack)
{
    return &stack->contexts.items[stack->contexts.n - 1];
}

// *Returns* the context of `task`, never NULL. If memory has run out, this is another writable
// context.
struct otter_context *otter_stack_push(struct otter_stack *stack, uint32_t task);
void otter_stack_pop(struct otter_stack *stack);

// Executes or logs a step of `context`. A step without a time gets the time of the current event.
void otter_stack_step_of(struct otter_stack *stack, struct otter_context *context,
                         struct otter_step step);
// Executes or logs a step of the current task.
void otter_stack_step(struct otter_stack *stack, enum otter_step_kind kind, uint32_t index);

// Interrupt and resume the current task, if any, when an initial or implicit task begins and ends.
void otter_stack_pause_below(struct otter_stack *stack);
void otter_stack_resume_below(struct otter_stack *stack);

// Begins an initial task. `region` is OTTER_NONE if the thread has other events before those of
// OpenMP; the end of such a task is not recorded. A later call with a region makes that task the
// initial task of the region.
void otter_stack_begin_initial(struct otter_stack *stack, uint32_t region);
// Begins an initial task if the stack is empty.
void otter_stack_need(struct otter_stack *stack);

// Joins the region that was forked last.
void otter_stack_join(struct otter_stack *stack);

// Extends the task's node of the structure view to `time`.
void otter_stack_end_node(struct otter_stack *stack, uint32_t task, uint64_t time);
