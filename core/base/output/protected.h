// Folders of archives that a command reads. No output may replace a file in them.
#pragma once

#include <stdbool.h>

// Adds the folder, or the folder around it if it is no folder itself. Returns false when memory is
// short.
bool otter_protected_add(const char *folder);

// Returns whether a file or folder at `path` would be a protected folder, or below one. Links and
// mounts on the way do not matter; the last part of the path is not followed.
bool otter_protected_has(const char *path);
