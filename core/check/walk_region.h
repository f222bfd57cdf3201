// Checks of Enter and Leave records.
#pragma once

#include "check/walk.h"

void otter_walk_enter(struct otter_event_checker *checker, const struct otter_event *event);
void otter_walk_leave(struct otter_event_checker *checker, const struct otter_event *event);
// Counts the end of a single or a loop that Otter added. Such an end has the time of the barrier
// after it, or of the region around it.
void otter_walk_count_repaired(struct otter_event_checker *checker,
                               const struct otter_event *event);
