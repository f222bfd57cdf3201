// The ranks of a merged archive as one run.
#pragma once

#include "analysis/findings/read.h"
#include "report/table/report_table.h"
#include "report/job/job_path.h"

// What a caller does with each rank's report. All functions may be NULL. `own`: `size` bytes of the
// rank, zero at first.
struct otter_rank_use {
    size_t size;
    // May replace the pointers of `reading`, and may set its `also`, which is called with `own`
    // instead of `user`.
    void (*begin)(void *own, struct otter_archive *archive, struct otter_reading *reading);
    // Does the work that needs no other rank. *Thread*: several at a time, each with its own rank.
    // `calls`: the MPI calls of a rank that will be added to a job.
    void (*prepare)(const void *user, const struct otter_report *report,
                    const struct otter_rank_calls *calls, void *own);
    // *Thread*: one at a time, in the order of the ranks, after the rank was added to the job.
    void (*use)(void *user, const struct otter_report *report, void *own);
    void (*finish)(void *own);
};

// Ranks that stay in memory, so that they need not be read again.
struct otter_kept_rank {
    struct otter_archive *archive; // with the rank selected
    struct rank *rank;             // NULL: not in memory
    void *own;                     // of otter_rank_use
};
struct otter_kept_ranks {
    struct otter_kept_rank *items; // by index in the archive
    uint32_t n;                    // 0: the job is too large
};

// `bytes_of_event`: memory that a rank needs for each of its events.
void otter_kept_ranks_init(struct otter_kept_ranks *kept, const struct otter_archive *archive,
                           unsigned bytes_of_event);
void otter_kept_rank_finish(struct otter_kept_rank *kept);
void otter_kept_ranks_finish(struct otter_kept_ranks *kept);

// Reads labels, analysis and findings of all ranks, adds each rank to `job`, and uses its report.
// `job`: NULL if the ranks are independent. `use`: NULL if reports are not used. `kept`: NULL if no
// rank stays in memory. *Returns* the number of ranks that have failed, each with an error.
uint32_t otter_job_read_ranks(struct otter_job *job, struct otter_archive *archive,
                              const struct otter_rank_use *use, void *user,
                              struct otter_kept_ranks *kept);

// Ends the job.
void otter_job_conclude(struct otter_job *job, const struct otter_archive *archive);

// Returns whether any rank has MPI calls.
bool otter_job_has_calls(const struct otter_job *job);

// Labels the path's steps. `rank`: index in the job; OTTER_NONE: all ranks of the path. Reads again
// the ranks that are not in memory. *Returns* false if a rank cannot be read, after an error.
bool otter_job_label_ranks(struct otter_job_path *path, uint32_t rank,
                           struct otter_archive *archive, const struct otter_kept_ranks *kept);

// Returns the largest deviation of any rank's clock.
uint64_t otter_job_deviation(const struct otter_archive *archive);

// Warns about everything that makes the job's numbers uncertain.
void otter_job_warn(const struct otter_job *job, const struct otter_archive *archive);

// Prints a table of all ranks. *Returns* an exit status. Prints a message for each error.
int otter_job_print_table(struct otter_archive *archive, const struct otter_job_table *table,
                          const struct otter_table_request *request);
