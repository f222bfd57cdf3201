// The part of one rank in the critical path of its job, as `otter diff` compares it.
#pragma once

#include "report/job/job_path.h"

// Fills the report's table with this option, "critical-path" or "critical-path=ranks", from the
// path of `job`, so that the rows of all ranks add up to the path.
void otter_diff_path_fill(const struct otter_report *report, const struct otter_job *job,
                          const char *option, struct otter_sheet *table);
