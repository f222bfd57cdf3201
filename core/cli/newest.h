// The archive, or the recording, that is meant when none is named.
#pragma once

#include <limits.h>
#include <stdbool.h>

// The newest folder here that is named otter-* into `newest`, complete archives only; says which on stderr.
// False, with an error printed: there is none.
bool otter_newest_archive(char newest[NAME_MAX + 1]);

// The newest folder here that is named otter-*.recording, likewise.
bool otter_newest_recording(char newest[NAME_MAX + 1]);
