// Checks of the records of explicit tasks.
#pragma once

#include "check/walk.h"

// Returns the explicit task, or NULL for another task or if memory runs out.
struct otter_checked_task *otter_walk_task(struct otter_event_checker *checker, otter_task_key key);
// Lets the current task leave this thread at `time`. The span of an untied task is stored for
// comparison with its spans on other locations.
void otter_walk_stop_segment(struct otter_event_checker *checker, uint64_t time);

void otter_walk_task_create(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_switch(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_task_complete(struct otter_event_checker *checker, const struct otter_event *event);
