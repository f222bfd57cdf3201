// The report of a merged archive.
#pragma once

#include "base/vector.h"
#include "report/job/job_findings.h"
#include "report/job/job_path.h"
#include "report/ranks/job_analysis.h"
#include "report/table/rank_table.h"

enum { OTTER_MAX_SENTENCES = OTTER_MAX_JOB_TEXTS + OTTER_MAX_DOUBTS + 3 };

// The numbers of all ranks, and of the job.
struct otter_rank_reports {
    OTTER_VECTOR(struct otter_rank_row); // ranks that can be read, in order of their numbers
    struct otter_job job;
    struct otter_job_findings findings;
    char sentences[OTTER_MAX_SENTENCES][OTTER_JOB_TEXT]; // path and waits, then doubts
    unsigned n_of_path, n_sentences;
    uint32_t n_failed; // ranks that cannot be analysed, each with an error
    double tick;       // seconds
    struct otter_rank_use store;
    struct otter_kept_ranks kept;
};

// Reads all ranks. The caller calls otter_rank_reports_finish. `store`: what else is read of ranks
// that stay in memory (its function `use` is ignored), or NULL. `bytes_of_event`: memory that a
// rank needs for each of its events; 0: the caller needs no rank again.
void otter_rank_reports_init(struct otter_rank_reports *reports, struct otter_archive *archive,
                             const struct otter_rank_use *store, unsigned bytes_of_event);
void otter_rank_reports_finish(struct otter_rank_reports *reports);

// Makes the sentences, for which a rank is read again unless it is in memory.
void otter_rank_reports_explain(struct otter_rank_reports *reports, struct otter_archive *archive);

// Returns all numbers.
json_t *otter_rank_reports_json(const struct otter_rank_reports *reports,
                                const struct otter_archive *archive);
// Prints the numbers as text, sorted so that the ranks whose work is farthest from the mean come
// first.
void otter_rank_reports_print(FILE *out, struct otter_rank_reports *reports,
                              const struct otter_archive *archive, struct otter_screen screen);
