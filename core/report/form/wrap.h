// Text in lines of at most 80 columns.
#pragma once

#include <stdio.h>

// Prints `text` and a newline. Each line begins with `indent` blanks; lines are broken between
// words. The middle of a word wider than a line is cut out.
void otter_print_wrapped(FILE *out, int indent, const char *text);
// Prints `text` in the same way, in lines of at most `width` columns.
void otter_print_wrapped_at(FILE *out, int width, int indent, const char *text);
