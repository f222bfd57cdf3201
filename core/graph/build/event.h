// Reads the events of locations, one location after the other.
#pragma once

#include "graph/build/reading.h"

void otter_read_event(struct otter_reading *reading, const struct otter_event *event);
// Ends everything that is open on the location.
void otter_read_end_location(struct otter_reading *reading);
