// Checks of parameter records.
#pragma once

#include "check/walk.h"

void otter_walk_parameter(struct otter_event_checker *checker, const struct otter_event *event);
// Must be called for each record that is not a parameter, and with an empty event at the end. The
// record's parameters may come before or after it.
void otter_walk_set_owner(struct otter_event_checker *checker, const struct otter_event *event);
