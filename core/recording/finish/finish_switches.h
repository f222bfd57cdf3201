// Makes locations of processors from the switches of a recording.
//
// These locations follow threads and streams in the archive. If disk or memory has run out, the
// archive is made without them.
#pragma once

#include "recording/finish/finish_state.h"

// Removes the files of an earlier attempt. Called before the rest of that attempt is undone.
void otter_finish_undo_switches(const struct otter_finish_state *state);
// Adds the processors to the content, and writes their event files. Called when the files of all
// other locations are complete.
void otter_finish_add_switches(struct otter_finish_state *state);
