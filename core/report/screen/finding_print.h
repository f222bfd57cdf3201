// Prints findings for a terminal.
#pragma once

#include "report/form/analysis.h"

// Prints one line: number, kind and place; cost in seconds and percent at the right edge.
void otter_finding_print_title(FILE *out, const struct otter_screen *screen,
                               const struct otter_report *report, uint32_t index);
// Prints the title, and below it the text of the finding and the hottest line of its label.
void otter_finding_print(FILE *out, const struct otter_screen *screen,
                         const struct otter_report *report, uint32_t index);
