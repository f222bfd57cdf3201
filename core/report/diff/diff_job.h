// Adds up the ranks of jobs, one after the other: the memory is that of one rank and the sums.
//
// Numbers of all ranks
//   counts, times and bytes    the sum
//   wall time, spans, max      the largest of a rank; also median, mean, p99 and shares of tables
//   min                        the least of a rank
//   percent, ratios            of the summary: the mean of the ranks
//   critical path              the path across ranks, of which each rank has a part (diff_path.h)
#pragma once

#include "report/diff/diff.h"

// Begins a comparison of jobs, whose archives are `paths`. Both are zero before.
// - The caller finishes *diff, then *job, in any case.
// Returns false if out of memory.
bool otter_diff_job_begin(struct otter_diff *diff, struct otter_diff_job *job,
                          const struct otter_diff_paths *paths);

// Reads a rank, whose archives are `paths`, and adds it. Archives are those of all runs of a side,
// or none: then the rank counts only in the sums.
// *Errors*: any of reading; *complaint has the message, and nothing was added.
enum otter_status otter_diff_job_read(struct otter_diff *diff, struct otter_diff_job *job,
                                      uint32_t rank, const struct otter_diff_paths *paths,
                                      struct otter_complaint *complaint);
// Adds a rank that was read, and compared if both sides have it. The job becomes the owner of its
// first run after. Returns false if out of memory.
bool otter_diff_job_add(struct otter_diff *diff, struct otter_diff_job *job, uint32_t rank,
                        struct otter_diff *own);

// Compares the sums. One rank at least was added on each side. Returns false if out of memory.
bool otter_diff_job_end(struct otter_diff *diff, struct otter_diff_job *job);

void otter_diff_job_finish(struct otter_diff_job *job);
