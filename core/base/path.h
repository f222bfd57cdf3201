// Texts and paths on the heap: threads of traced programs may have stacks of a few KiB.
#pragma once

// A path (or another text) made by `format`; NULL: out of memory. The caller frees it.
char *otter_path(const char *format, ...) __attribute__((format(printf, 1, 2)));
