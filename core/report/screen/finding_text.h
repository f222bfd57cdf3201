// Findings in words.
#pragma once

#include "report/form/analysis.h"

enum { OTTER_FINDING_TEXT = 640 };

// The same for a finding on Kokkos. Returns false for any other, and writes nothing.
bool otter_finding_kokkos_text(const struct otter_report *report,
                               const struct otter_finding *finding, char text[OTTER_FINDING_TEXT]);

// The evidence and what to try, in a few sentences. Returns `text`.
const char *otter_finding_text(const struct otter_report *report,
                               const struct otter_finding *finding, char text[OTTER_FINDING_TEXT]);
