// Reads the events of a run again.
#pragma once

#include "analysis/analysis.h"

// Calls `add` for all events of the source, one location after the other. Reads none if no region
// of the run is a construct of the kind; NULL: any kind. `add` returns false if out of memory.
// Returns false if out of memory.
bool otter_events_read(const struct otter_analysis *analysis,
                       bool (*is_of_kind)(enum otter_construct construct),
                       otter_event_function *add, void *part);
