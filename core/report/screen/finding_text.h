// Findings in words.
#pragma once

#include "report/form/analysis.h"

enum { OTTER_FINDING_TEXT = 640 };

// Writes the evidence and what to try, in a few sentences. Returns `text`.
const char *otter_finding_text(const struct otter_report *report,
                               const struct otter_finding *finding, char text[OTTER_FINDING_TEXT]);

// Write the texts of the Kokkos kinds.
void otter_finding_small_kernels_text(char *text, const struct otter_report *report,
                                      const struct otter_finding *finding);
void otter_finding_fence_text(char *text, const struct otter_report *report,
                              const struct otter_finding *finding);
void otter_finding_copy_text(char *text, const struct otter_report *report,
                             const struct otter_finding *finding);
void otter_finding_allocation_text(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding);
void otter_finding_high_water_text(char *text, const struct otter_report *report,
                                   const struct otter_finding *finding);
