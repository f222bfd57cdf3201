// The terminal to which the command prints.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Returns the number of columns: COLUMNS if it is set to a number, otherwise the terminal's width,
// or 80 if `out` is not a terminal.
unsigned otter_terminal_width(FILE *out);

// Returns whether `out` is a terminal that shows bold text, and the variable NO_COLOR is not set.
bool otter_terminal_has_bold(FILE *out);
