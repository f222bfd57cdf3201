// Text of others (labels, paths, metadata) in a column of a table.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Prints `text` as base/visible.h shows it, as a %s of otter_print does. A text wider than `limit`
// columns loses its middle; 0: no text does. Returns the number of columns used, one for each
// character.
size_t otter_plain_print(FILE *out, const char *text, size_t limit);
