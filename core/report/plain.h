// Text of others (labels, paths, metadata) for a person: whatever it holds, it stays on its line and does nothing to a terminal.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Prints `text` with what is no visible character written out (\n, \x1b, \u202e); a byte that is no UTF-8 counts as that character
// of Latin-1. Of what is wider than `limit` columns the middle is left out; 0: nothing is. Returns the columns that were used, one
// for each character.
size_t otter_plain_print(FILE *out, const char *text, size_t limit);
