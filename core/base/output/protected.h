// Folders of archives that a command reads. No output may replace a file in them.
#pragma once

#include <stdbool.h>

// Adds `folder`, or its parent if it is not a folder itself. Returns false if out of memory.
bool otter_protected_add(const char *folder);

// Returns whether a file or folder at `path` would be a protected folder or inside one. Resolves
// links and mounts on the way, but not a link at `path` itself.
bool otter_protected_has(const char *path);
