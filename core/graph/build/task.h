// The events of explicit tasks.
#pragma once

#include "graph/build/reading.h"

void otter_read_create(struct otter_reading *reading, const struct otter_event *event);
void otter_read_switch(struct otter_reading *reading, const struct otter_event *event);
void otter_read_complete(struct otter_reading *reading, const struct otter_event *event);
// Enters and leaves the region of a task, which begins, continues or stops on this location.
void otter_read_enter_task(struct otter_stack *stack, uint32_t region);
void otter_read_leave_task(struct otter_reading *reading);
// The body of `task` has just ended: if the task is undeferred, its creator continues here.
void otter_read_undeferred(struct otter_reading *reading, uint32_t task);
// Begins a task without a region: `event` follows the task's switch and does not enter a region.
void otter_read_flush_switch(struct otter_reading *reading, const struct otter_event *event);
// Handles the end of `task` on a location that did not execute it. If the task is detached, its
// event was fulfilled there.
void otter_read_end_elsewhere(struct otter_stack *stack, uint32_t task);
