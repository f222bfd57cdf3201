// Operations on the paths of a recording.
//
// Functions that accept `char *path` free it, and accept the NULL that otter_path returns when
// memory runs out. *Thread*: any.
#pragma once

#include <stdbool.h>

#include "base/status.h"

// Removes a file or an empty folder. Failures are ignored.
void otter_paths_remove_file(char *path);
void otter_paths_remove_folder(char *path);

bool otter_paths_exists(char *path);
bool otter_paths_is_link(const char *path);

// Returns whether the name is that of a recording: "otter-fib.recording".
bool otter_paths_is_recording(const char *path);

// Returns the status of an errno for a path within a recording. An absent or existing path gives
// OTTER_IO, since the caller cannot choose a better name.
enum otter_status otter_paths_own_failure(int error);
