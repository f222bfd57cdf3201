// The numbers of one archive that `otter diff` compares. The archive need not stay open.
#pragma once

#include "analysis/job/job.h"
#include "graph/hash/digest.h"
#include "report/table/analysis_tables.h"
#include "report/diff/diff_labels.h"
#include "report/predict/predict.h"
#include "report/form/parts.h"
#include "report/form/sheet.h"
#include "trace/read/reader.h"

// The numbers of the summary, in its order.
enum otter_diff_number {
    OTTER_DIFF_WALL = 0,
    OTTER_DIFF_THREADS,
    OTTER_DIFF_WORK,
    OTTER_DIFF_SPAN,
    OTTER_DIFF_BURDENED,
    OTTER_DIFF_PARALLELISM,
    OTTER_DIFF_EFFICIENCY,
    OTTER_DIFF_MPI_FACTOR,
    OTTER_DIFF_SERIAL,
    OTTER_DIFF_LOAD_BALANCE,
    OTTER_DIFF_SCHEDULING,
    OTTER_DIFF_TOTAL,
    OTTER_DIFF_PARTS, // enum otter_time_part
    // not a part of its own: the parts include it
    OTTER_DIFF_RECORDING = OTTER_DIFF_PARTS + OTTER_N_TIME_PARTS,
    OTTER_N_DIFF_NUMBERS
};

struct otter_diff_structure {
    struct otter_hash unfolded, folded; // computed with the names of labels
    bool is_folded_in_full;             // `folded` is equal for any number of threads
    uint32_t n_tasks;                   // explicit and target tasks
};

// The changes that the user made between the two sides, according to the command line. A NULL
// pointer: no prediction.
struct otter_diff_wish {
    const struct otter_what_if *changes;
    size_t n;
    uint32_t n_threads; // of the prediction
};

struct otter_diff_run {
    char *path;
    char *program; // its command line, "" when unknown
    bool is_complete;
    uint32_t n_ranks;                     // of a job, whose numbers cover all ranks; 0: a process
    double numbers[OTTER_N_DIFF_NUMBERS]; // seconds, percent, counts
    struct otter_sheet *sheets;           // the tables of a report, findings, causes
    unsigned n_sheets;
    struct otter_diff_labels labels;
    struct otter_diff_structure structure;
    // with a wish: the predicted change of the wall time, 0.01 is 1 %
    double predicted_least, predicted_most, replay_error;
};

// Returns the column that names a number of the summary.
const struct otter_column *otter_diff_column(unsigned number);

// Returns the columns by which the summary indents a number: a factor of the efficiency, or a part
// of the thread time.
int otter_diff_indent(unsigned number);

// Returns the number that must not be 0 for `number` to be shown. For example, the MPI factor is
// shown only for programs that call MPI.
static inline unsigned otter_diff_shown_by(unsigned number)
{
    bool is_factor = number == OTTER_DIFF_MPI_FACTOR;
    return is_factor ? (unsigned)OTTER_DIFF_PARTS + OTTER_TIME_MPI : number;
}

enum { OTTER_DIFF_PASSES = 2 };

// Reads an archive. Labels get the names of `reference`, which outlives the run, or is NULL.
// The critical path is this rank's part of the path of `job`, whose calls may already be freed.
// `job` is NULL for a process; `wish` may be NULL.
// The caller finishes the run in any case. *Errors*: any from reading; *complaint has the message.
// Reads all events OTTER_DIFF_PASSES times.
enum otter_status otter_diff_run_init(struct otter_diff_run *run, const char *path,
                                      const struct otter_job *job, struct otter_diff_run *reference,
                                      const struct otter_diff_wish *wish,
                                      struct otter_complaint *complaint);
// Returns whether `otter diff` compares this table, for jobs or for processes.
bool otter_diff_is_compared(const struct otter_report_table *table, bool is_of_job);
void otter_diff_run_finish(struct otter_diff_run *run);
