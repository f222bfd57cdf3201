// The file that a command writes unless the user names one.
#pragma once

struct otter_archive;

// Returns the archive's name with `ending`, for a file in the working folder. The caller frees it;
// NULL if out of memory.
char *otter_output_name(const struct otter_archive *archive, const char *ending);
