// The report of a job, as `otter report` prints it for a merged archive.
#pragma once

#include <stdint.h>

#include "report/form/analysis.h"
#include "analysis/job/job.h"

// Calls `use` with the report of a rank, by its index in the job. *Returns* what `use` returns, or
// false if out of memory.
bool report_rank(const struct otter_analysis *analysis, uint32_t rank, void *user,
                 bool (*use)(void *user, uint32_t rank, const struct otter_report *report));

// Prints rows, findings and summary of the ranks, with JSON; the three tables of the critical path;
// and the chain's CSV with each step. `analyses` has the analysis of each rank of the job, without
// labels. *Returns* false if out of memory.
bool report_job(const struct otter_job *job, const struct otter_analysis *analyses);
