// The file that a command writes unless the user names one.
#pragma once

#include <stdbool.h>

struct otter_archive;

// Returns the archive's name with `ending`, for a file in the working folder. The caller frees it.
char *otter_output_name(const struct otter_archive *archive, const char *ending);

// Returns whether `path` is "-" and standard output is a terminal, which cannot show `what`; prints
// an error that names the command's help. `path` may be NULL.
bool otter_output_is_terminal(const char *path, const char *what, const char *command);
