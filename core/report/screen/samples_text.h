// What the samples add to a summary: the functions of the critical path, the lines of findings.
#pragma once

#include "analysis/sample/functions.h"
#include "report/form/analysis.h"

// Reads the functions of an archive with samples into *own, unless the report has them. *Returns*
// them; NULL: there are none, or memory ran out. The caller finishes *own.
const struct otter_functions *otter_report_functions(const struct otter_report *report,
                                                     struct otter_functions *own);

// The line that has the most samples of a finding's label.
struct otter_hottest {
    const char *function, *where; // both "": the samples do not show one
    double percent, least, most;  // share of the label's samples, and its 95 % interval
};

// *Returns* a line only if it has at least a fifth of its label's samples, in spite of the sampling
// error. Blocked threads have no samples, so a finding on them has no line.
struct otter_hottest otter_hottest_line(const struct otter_report *report,
                                        const struct otter_finding *finding);

// Prints the hottest line of a finding's label, if there is one.
void otter_hottest_print(FILE *out, const struct otter_report *report,
                         const struct otter_finding *finding, int width);
// Prints the functions that are most often on the realised path, and how many samples were lost.
void otter_path_functions_print(FILE *out, const struct otter_report *report, int width);

// Returns NULL if there is no such line.
json_t *otter_hottest_json(const struct otter_report *report, const struct otter_finding *finding);
// Returns the numbers of samples; null if the archive has none.
json_t *otter_samples_json(const struct otter_report *report);
json_t *otter_path_functions_json(const struct otter_report *report);
