// The folder of a recording: its reserve of disk space, and its removal.
//
// *Thread*: one at a time for each folder.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

// Reserves disk space in a file of `recording`, for otter_finish on a full disk. Best effort.
void otter_recording_reserve(const char *recording);
// Releases the reserve, once recording is over.
void otter_recording_use_reserve(const char *recording);

// Removes an empty recording left by an interrupted finish whose archive `folder` is complete.
// *Errors*: OTTER_NOT_FOUND: `folder` is not complete, or `recording` has event files;
// otherwise from errno.
enum otter_status otter_recording_remove_rest(const char *recording, const char *folder);

// Returns whether the folder `events` has an event file, or a chunk with events. An unreadable
// folder may have some.
bool otter_recording_has_events(const char *events);

// Removes the chunks without an event from the folder `events`. Failures are ignored.
void otter_recording_remove_empty_chunks(const char *events);

// Returns whether `recording` has at most a journal, a reserve and an empty folder `events`. A
// recorder that is killed before its first event leaves no more than that.
bool otter_recording_is_unbegun(const char *recording);

// Removes a recording without events, including empty chunks.
// *Errors*: OTTER_EXISTS: `recording` has other files, which remain; otherwise from errno.
enum otter_status otter_recording_remove_unbegun(const char *recording);

// Removes a recording of `n_threads` and all streams. Recording must be over.
void otter_recording_discard(const char *recording, uint32_t n_threads);
