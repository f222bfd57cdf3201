// Finds the archive or recording that a command reads: the newest one here if the user names none.
#pragma once

#include <limits.h>
#include <stdbool.h>

// Sets `*path` to the archive argument at optind. Without an argument, finds the newest complete
// archive otter-* in the working folder. Then copies its name to `newest`, and sets `*path` to it.
// argv[0] is the command's name. Returns an exit status; prints an error unless OTTER_EXIT_OK.
int otter_archive_argument(int argc, char **argv, char newest[NAME_MAX + 1], const char **path);

// Copies the name of the newest recording otter-*.recording in the working folder to `newest`. If
// there is none, prints an error and returns false.
bool otter_newest_recording(char newest[NAME_MAX + 1]);
