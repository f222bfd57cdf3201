// The critical path of a job, by label, rank and step: the numbers that `otter report` prints for a
// merged archive.
#pragma once

#include "analysis/detail/chain.h"
#include "analysis/job/job.h"
#include "report/form/analysis.h"
#include "report/form/sheet.h"

// Distinct texts.
struct otter_job_texts {
    OTTER_VECTOR(char *);
    struct otter_strings *numbers; // of each text: its index + 1; 0 is ""
};

struct otter_job_path {
    const struct otter_job *job;
    double tick;                    // seconds
    bool is_full;                   // a chain lists every step
    struct otter_job_texts labels;  // "parallel md.c:12"
    struct otter_job_texts threads; // "Master thread"
    struct otter_chain *chains;     // of each stay, that is, each part of the path within one rank
};

// `job` has ended, and must outlive the path.
void otter_job_path_init(struct otter_job_path *path, const struct otter_job *job, bool is_full);
void otter_job_path_finish(struct otter_job_path *path);

// Adds the steps of a rank, by its index in the job. `report` is the rank's report.
void otter_job_path_add(struct otter_job_path *path, const struct otter_report *report,
                        uint32_t rank);

// Returns the label with the most ticks of a rank on the path; NULL: none.
const char *otter_job_path_label(const struct otter_job_path *path, uint32_t rank);

// Adds up the ticks of a stay by label. The last of `labels.n` + 1 places is for time in which no
// thread executes a label.
void otter_job_path_add_up(const struct otter_job_path *path, uint32_t stay, uint64_t *ticks);
// Returns the text of the label at an index of that array.
const char *otter_job_path_text(const struct otter_job_path *path, uint32_t label);

// ---- tables, with the options of a report

struct otter_job_table {
    const char *option; // "critical-path=ranks"
    void (*fill)(const struct otter_job_path *path, struct otter_sheet *table);
};

// Fills the table of ranks with the ranks of indexes `first` to `end`. Needs no steps.
void otter_job_path_fill_ranks(const struct otter_job_path *path, uint32_t first, uint32_t end,
                               struct otter_sheet *table);

// Returns the table of an option; NULL if jobs have no such table.
const struct otter_job_table *otter_job_table_of(const char *option);

// ---- text and JSON of the summary

// Returns the index of the rank with the most ticks on the path; OTTER_NONE: there is no path.
uint32_t otter_job_first_rank(const struct otter_job *job);

enum { OTTER_JOB_TEXT = 1000, OTTER_MAX_JOB_TEXTS = 2 };

// Writes sentences about the ranks on the path, and about the waits of all ranks in MPI. *Returns*
// their number; 0 without messages. `label`: from otter_job_path_label, for the first rank; NULL:
// unknown.
unsigned otter_job_sentences(const struct otter_job *job, double tick, const char *label,
                             char texts[OTTER_MAX_JOB_TEXTS][OTTER_JOB_TEXT]);
json_t *otter_job_json(const struct otter_job *job, double tick);

enum { OTTER_DOUBT_TEXT = 400, OTTER_MAX_DOUBTS = 5 };

// Writes sentences about what makes the path uncertain: missing messages or members, clocks, loops
// that only test.
// *Returns* their number. `deviation_ns`: the largest of all clocks.
unsigned otter_job_doubts(const struct otter_job *job, uint64_t deviation_ns,
                          char texts[OTTER_MAX_DOUBTS][OTTER_DOUBT_TEXT]);
