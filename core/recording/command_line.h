// The command line of the recorded program, as the user typed it. It is passed on early, since a
// program may overwrite its own arguments before a runtime starts the recorder.
#pragma once

#include <stddef.h>

// Stores the arguments of this process in its environment. *Thread*: before exec.
void otter_command_line_pass(char **argv);

// Stores a copy of the arguments of this process. *Thread*: the initial one, before main.
void otter_command_line_store(char **argv);

// Writes the arguments of this process, separated by blanks, to `line`. They come from the launcher
// if the first argument and the length match; otherwise from the copy; without a copy, from /proc.
void otter_command_line_read(char *line, size_t size);
