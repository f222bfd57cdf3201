// The ranks of a merged archive as one run.
#pragma once

#include "report/table/report_table.h"
#include "report/job/job_path.h"

// Reads the labels, the analysis and the findings of the selected rank, and adds the rank to `job`.
// `use` gets the report; NULL: not wanted. *Returns* false after printing an error.
typedef enum otter_status otter_rank_report_function(void *user, const struct otter_report *report);
bool otter_job_read_rank(struct otter_job *job, struct otter_archive *archive,
                         const struct otter_rank *rank, otter_rank_report_function *use,
                         void *user);

// Reads a rank without a job: `use` gets the report. *Returns* false after printing an error.
bool otter_job_read_report(struct otter_archive *archive, const struct otter_rank *rank,
                           otter_rank_report_function *use, void *user);

// Ends the job. *Returns* false after printing an error.
bool otter_job_conclude(struct otter_job *job, const struct otter_archive *archive);

// Returns whether any rank has MPI calls.
bool otter_job_has_calls(const struct otter_job *job);

// Labels the path's steps in one rank, given by its index in the job; reads the rank again.
// *Returns* false after printing an error.
bool otter_job_label_rank(struct otter_job_path *path, struct otter_archive *archive,
                          uint32_t rank);

// Returns the largest deviation of any rank's clock.
uint64_t otter_job_deviation(const struct otter_archive *archive);

// Warns about everything that makes the job's numbers uncertain.
void otter_job_warn(const struct otter_job *job, const struct otter_archive *archive);

// Prints a table of all ranks. *Returns* an exit status. Prints a message for each error.
int otter_job_print_table(struct otter_archive *archive, const struct otter_job_table *table,
                          const struct otter_table_request *request);
