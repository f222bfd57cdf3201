// Text in lines that a terminal shows.
#pragma once

#include <stdio.h>

// Writes `text`, and the end of its last line. Each line begins with `indent` blanks, and has 100 columns at most where words allow.
void otter_print_wrapped(FILE *out, int indent, const char *text);
