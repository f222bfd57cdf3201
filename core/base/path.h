// Paths and other short texts on the heap: a thread of a traced program may have a stack of a few
// KiB. Each returned `char *` belongs to the caller; NULL means out of memory.
#pragma once

#include <stdbool.h>

// Returns a formatted text.
char *otter_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns `path` without slashes at its end; "/" stays.
char *otter_path_without_slashes(const char *path);

// Returns the part of `path` after its last slash, or all of `path`. Points into `path`.
const char *otter_path_file(const char *path);

// Returns whether the file's name begins with `prefix`, or is the name of an OpenMP runtime.
bool otter_path_file_begins(const char *path, const char *prefix);
bool otter_path_is_openmp(const char *path);

// Returns the folder that contains `path`, or ".". Ignores slashes at the end of `path`.
char *otter_path_folder(const char *path);
