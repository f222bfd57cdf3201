// Makes locations of samples, and their calling contexts, from the samples of a recording.
//
// These locations follow the processors in the archive. If disk or memory has run out, the archive
// is made without them, and states their number.
#pragma once

#include "recording/finish/finish_state.h"

// Adds regions of code, calling contexts and locations to the content, and writes their event
// files. Called after otter_finish_add_switches. Undone by otter_finish_undo_switches.
void otter_finish_add_samples(struct otter_finish_state *state);
