// Texts and paths on the heap: threads of traced programs may have stacks of a few KiB.
#pragma once

// A path (or another text) made by `format`; NULL: out of memory. The caller frees it.
char *otter_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

// `path` without the slashes at its end, but for that of the root; NULL: out of memory. The caller frees it.
char *otter_path_without_slashes(const char *path);

// The last part of `path`: what follows its last slash, or all of it.
const char *otter_path_file(const char *path);

// The folder that `path` is in, "." where it names none; slashes at its end do not count. NULL: out of memory. The caller frees it.
char *otter_path_folder(const char *path);
