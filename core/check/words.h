// Names and texts of the checks and quirks.
#pragma once

#include "check/check.h"

extern const struct otter_check_words {
    const char *name; // "nesting"
    const char *rule; // "each leave ends the region that was entered last"
    const char *unit; // "events"
} otter_check_words[OTTER_N_CHECKS];

extern const struct otter_quirk_words {
    const char *name;        // "late end"; "" for OTTER_QUIRK_NONE
    const char *explanation; // explanation of one or more sentences
} otter_quirk_words[OTTER_N_QUIRKS];
