// Reads the events of a run again.
#pragma once

#include "analysis/analysis.h"

// Returns whether the run has a region of such a construct.
bool otter_events_have(const struct otter_definitions *definitions,
                       bool (*is_of_kind)(enum otter_construct construct));

// Calls `add` for all events of the source, one location after the other; `add` returns false if
// out of memory. If `is_of_kind` is not NULL and the run has no region of such a construct, no
// event is read. Returns false if out of memory.
bool otter_events_read(const struct otter_analysis *analysis,
                       bool (*is_of_kind)(enum otter_construct construct),
                       otter_event_function *add, void *part);
