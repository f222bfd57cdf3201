// Finds the archive or the recording that a command uses if the user names none.
#pragma once

#include <limits.h>
#include <stdbool.h>

// Copies the name of the newest complete archive otter-* in the working folder to `newest`, and
// prints it to stderr. Returns false after printing an error: there is none.
bool otter_newest_archive(char newest[NAME_MAX + 1]);

// The same for the newest recording otter-*.recording.
bool otter_newest_recording(char newest[NAME_MAX + 1]);
