// The command line of the recorded program, as the user typed it: a program may overwrite its own
// arguments before a runtime starts the recorder.
#pragma once

#include <stddef.h>

// Stores the arguments of this process in its environment. *Thread*: before exec.
void otter_command_line_pass(char **argv);

// Writes the arguments of this process, separated by blanks, to `line`. They are those that the
// launcher passed to this process if the first argument and the length are equal; else those of
// /proc.
void otter_command_line_read(char *line, size_t size);
