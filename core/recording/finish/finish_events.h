// Seals and balances the event files of a recording, and counts missing events.
#pragma once

#include "base/status.h"
#include "recording/finish/finish_state.h"

// Completes the event files of all locations. Sets their numbers of events, and the missing events.
// *Errors*: OTTER_EMPTY: no event was recorded; OTTER_BAD_ARCHIVE: the files are damaged.
enum otter_status otter_finish_seal_events(struct otter_finish_state *state);

// Counts recorded events as lost if no file contains them, because they could not be saved, or
// their file was removed or damaged.
void otter_finish_count_missing(struct otter_finish_state *state);

// Closes open constructs, and counts tasks, if events are missing.
enum otter_status otter_finish_balance_events(struct otter_finish_state *state);
