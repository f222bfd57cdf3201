// Adds up the ranks of jobs one after the other, so that memory is needed only for one rank and the
// sums.
//
// How the numbers of all ranks are combined:
//   counts, times and bytes    the sum
//   wall time, spans, max      the largest of a rank; also median, mean, p99 and shares of tables
//   min                        the least of a rank
//   percent, ratios            of the summary: the mean of the ranks
//   critical path              the path across ranks, of which each rank has a part (diff_path.h)
#pragma once

#include "report/diff/diff.h"

// Begins a comparison of the jobs in the archives `paths`. *diff and *job must be zero. The caller
// finishes *diff, then *job.
void otter_diff_job_begin(struct otter_diff *diff, struct otter_diff_job *job,
                          const struct otter_diff_paths *paths);

// Reads a rank from the archives `paths` and adds it. Each side has either all of the rank's runs
// or none; a rank that only one side has counts only in the sums. *Errors*: any from reading;
// *complaint has the message. After an error, nothing was added.
enum otter_status otter_diff_job_read(struct otter_diff *diff, struct otter_diff_job *job,
                                      uint32_t rank, const struct otter_diff_paths *paths,
                                      struct otter_complaint *complaint);
// Adds a rank that was read and, if both sides have it, compared. The job takes over the rank's
// first run of AFTER.
void otter_diff_job_add(struct otter_diff *diff, struct otter_diff_job *job, uint32_t rank,
                        struct otter_diff *own);

// Compares the sums. At least one rank must have been added on each side.
void otter_diff_job_end(struct otter_diff *diff, struct otter_diff_job *job);

void otter_diff_job_finish(struct otter_diff_job *job);
