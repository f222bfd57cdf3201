// Reads the events of an archive for tables that the graph and the timeline do not answer.
#pragma once

#include "base/status.h"
#include "trace/read/reader.h"

// Calls `add` for all events, one location after the other, a damaged one up to its damage. `add`
// returns false when memory is short. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_events_read(struct otter_archive *archive, otter_event_function *add,
                                    void *user);
