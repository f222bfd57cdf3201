// Reads the events of a run again.
#pragma once

#include "analysis/analysis.h"

// Returns whether any region of the run is a construct of this kind.
bool otter_events_have(const struct otter_analysis *analysis,
                       bool (*is_of_kind)(enum otter_construct construct));

// Calls `add` for all events of the source, one location after the other. `add` must return false
// only if out of memory. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_events_read(const struct otter_analysis *analysis,
                                    otter_event_function *add, void *part);
