// What the parts share that turn the events of one location into steps: the stack of tasks that lie on it.
//
// Tied tasks lie on it until they have ended. The steps of untied tasks, which may go on elsewhere, are kept for build_replay.c.
#pragma once

#include "graph/build/internal.h"

// ---- build_stack.c

// The task that is current; there is one (otter_stack_need).
static inline struct otter_context *otter_stack_top(struct otter_builder *builder)
{
    return &builder->contexts.items[builder->contexts.n - 1];
}

// `task` begins or goes on here. Never NULL: when memory is short it is a context that is safe to write to.
struct otter_context *otter_stack_push(struct otter_builder *builder, uint32_t task);
// The task on top is executed no more on this location.
void otter_stack_pop(struct otter_builder *builder);

// A step of `context`, at the time of the current event if it has none; or a plain one of the task on top.
void otter_stack_step_of(struct otter_builder *builder, struct otter_context *context,
                         struct otter_step step);
void otter_stack_step(struct otter_builder *builder, enum otter_step_kind kind, uint32_t index);

// What lies below an initial or implicit task does nothing meanwhile. Nothing may lie there.
void otter_stack_pause_below(struct otter_builder *builder);
void otter_stack_resume_below(struct otter_builder *builder);

// An initial task. OTTER_NONE: that of a thread which has come to OpenMP late or never, of which no end is told.
void otter_stack_begin_initial(struct otter_builder *builder, uint32_t region);
// Makes sure that there is a task.
void otter_stack_need(struct otter_builder *builder);

// The region that was forked last is joined.
void otter_stack_join(struct otter_builder *builder);

// A task was seen at `time`: its node of the structure view ends no earlier.
void otter_stack_end_node(struct otter_builder *builder, uint32_t task, uint64_t time);

// ---- build_task.c: one function for each record

void otter_build_create(struct otter_builder *builder, const struct otter_event *event);
void otter_build_switch(struct otter_builder *builder, const struct otter_event *event);
void otter_build_complete(struct otter_builder *builder, const struct otter_event *event);
// The region of a task that was switched to, is left.
void otter_build_enter_task(struct otter_builder *builder, uint32_t region);
void otter_build_leave_task(struct otter_builder *builder);
// The body of `task` has just ended: its creator goes on here if the task is undeferred.
void otter_build_undeferred(struct otter_builder *builder, uint32_t task);
// A task that was switched to and whose region is not told: `event` is something else.
void otter_build_settle_switch(struct otter_builder *builder, const struct otter_event *event);
// A task that ends where it is not executed: its event was fulfilled here, if it has one.
void otter_build_end_elsewhere(struct otter_builder *builder, uint32_t task);

// ---- build_parameter.c

void otter_build_parameter(struct otter_builder *builder, uint32_t definition, uint64_t value);
// Parameters of the record that was just read follow, as a list that is told as a step of `kind`.
void otter_build_begin_list(struct otter_builder *builder, enum otter_step_kind kind);
// What was told in several records is complete: `event` follows, NULL for none.
void otter_build_flush(struct otter_builder *builder, const struct otter_event *event);
