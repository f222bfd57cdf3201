// Names and texts of the checks and quirks. No function returns NULL.
#pragma once

#include "check/check.h"

// "nesting"
const char *otter_check_name(enum otter_check check);
// "each Leave ends the region that was entered last"
const char *otter_check_rule(enum otter_check check);
// "events"
const char *otter_check_unit(enum otter_check check);

// "late end"; "" for OTTER_QUIRK_NONE
const char *otter_quirk_name(enum otter_quirk quirk);
// One or more sentences for the user.
const char *otter_quirk_explanation(enum otter_quirk quirk);
