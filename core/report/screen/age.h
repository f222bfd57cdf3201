// How long ago a program was recorded.
#pragma once

#include <time.h>

#include "trace/read/reader.h"

enum { OTTER_AGE_SIZE = 48 };

// Writes "recorded 3 minutes ago", from the end of the recording to `now`, into `text`. Writes ""
// for a time that is unknown or later than `now`. Returns `text`.
const char *otter_age_text(const struct otter_definitions *definitions, time_t now,
                           char text[OTTER_AGE_SIZE]);
