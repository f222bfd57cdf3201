// Says how much time recording took.
#pragma once

#include "report/analysis.h"

// Prints one line, and a note if pieces are too short to be measured; nothing for an archive
// without the cost of an event.
void otter_recording_print(FILE *out, const struct otter_report *report);
