// The folder of a recording: its reserve of disk space, and its removal.
//
// *Thread*: one at a time for each folder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

// Reserves disk space in a file of `recording`, for otter_finish on a full disk. Failures do not
// matter.
void otter_recording_reserve(const char *recording);
// Releases the reserve: recording is over.
void otter_recording_use_reserve(const char *recording);

// Removes a recording without events that an interrupted finish left: its archive `folder` is
// complete.
// *Errors*: OTTER_NOT_FOUND: `folder` is not complete, or `recording` has event files; others of the
// system.
enum otter_status otter_recording_remove_rest(const char *recording, const char *folder);

// Whether `recording` has at most a journal, a reserve and an empty folder `events`. A recorder that
// is killed before its first event leaves no more. The journal may say more.
bool otter_recording_is_unbegun(const char *recording);

// Removes such a recording.
// *Errors*: OTTER_EXISTS: `recording` has other files, nothing is removed; others of the system.
enum otter_status otter_recording_remove_unbegun(const char *recording);

// Removes a recording of `n_threads` and all streams. Nobody may record any more.
void otter_recording_discard(const char *recording, uint32_t n_threads);
