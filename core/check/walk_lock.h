// Checks of locks.
#pragma once

#include "check/walk.h"

void otter_walk_acquire_lock(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_release_lock(struct otter_event_checker *checker, const struct otter_event *event);
// Stores the locks that are still held at the end of a location.
void otter_walk_end_locks(struct otter_event_checker *checker);
// Matches the stored acquisitions and releases. Must be called after the last location.
void otter_walk_judge_locks(struct otter_event_checker *checker);
