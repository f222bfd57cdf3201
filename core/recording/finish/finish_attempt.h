// Undoes an attempt to finish a recording, wherever it was interrupted.
#pragma once

#include "base/status.h"
#include "recording/finish/finish_state.h"

// Adds the threads whose lines the journal lacks: threads with event files, and threads that an
// earlier attempt found. An attempt creates the definition files of all locations before it moves
// the first event file.
// *Errors*: OTTER_NO_MEMORY.
enum otter_status otter_finish_add_unknown_threads(struct otter_finish_state *state);

// Moves event files back to the recording, and removes the incomplete archive.
enum otter_status otter_finish_undo_attempt(const struct otter_finish_state *state);
