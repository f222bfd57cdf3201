// Text from an archive (labels, paths, metadata) in a column of a table.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Prints `text` in the form of base/text/visible.h. If `limit` is not 0, the middle of a text wider
// than `limit` columns is cut out. Returns the number of columns used.
size_t otter_plain_print(FILE *out, const char *text, size_t limit);

// Prints only the first `length` bytes of `text`, in the same way.
size_t otter_plain_print_part(FILE *out, const char *text, size_t length, size_t limit);

// Return the number of columns that the whole text needs, or its first `length` bytes.
size_t otter_plain_width(const char *text);
size_t otter_plain_width_part(const char *text, size_t length);
