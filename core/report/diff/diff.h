// The numbers of two sides, each of one or several archives, compared row by row.
//
// Either all archives are of processes, or all are of jobs: then each number covers all ranks
// (diff_job.h).
#pragma once

#include <stdio.h>

#include "report/diff/diff_noise.h"
#include "report/diff/diff_run.h"

struct otter_diff_side {
    struct otter_diff_run runs[OTTER_DIFF_MOST_RUNS];
    uint32_t n;
};

struct otter_diff_row {
    const char *text; // owned by the run that it comes from
    // number of archives that have the row; in the others, its values are 0
    uint32_t n_before, n_after;
    struct otter_diff_value *values; // n_columns values; the values of text columns are 0
    const double *most;              // for jobs: see otter_diff_most_of; NULL: for processes
};

// A table of the report, or the findings.
struct otter_diff_table {
    const char *name, *text_head;
    const struct otter_column *columns;
    unsigned n_columns;
    unsigned column; // the column by which rows are sorted: the first one of seconds or bytes
    struct {
        OTTER_VECTOR(struct otter_diff_row);
    } rows; // the largest change first
};

enum otter_diff_graphs {
    OTTER_DIFF_GRAPHS_EQUAL = 0, // all archives have the same structure
    // the folded structures are equal, so only the numbers of threads differ
    OTTER_DIFF_GRAPHS_TEAMS,
    OTTER_DIFF_GRAPHS_VARY,   // archives of the same side differ from each other
    OTTER_DIFF_GRAPHS_DIFFER, // the folded structures of both sides differ
};

// The rank in which a number has changed most, and its change.
struct otter_diff_most {
    double change;
    uint32_t rank; // OTTER_NONE: no rank has the number
};

// A rank of jobs that both sides have.
struct otter_diff_rank {
    uint32_t rank;
    struct otter_diff_value numbers[OTTER_N_DIFF_NUMBERS];
    enum otter_diff_graphs graphs;
};

// All ranks of jobs; the comparison itself has the sums.
struct otter_diff_job {
    struct {
        OTTER_VECTOR(struct otter_diff_rank);
    } ranks;                  // ascending
    uint32_t rank_of_place;   // the rank of `place`
    bool has_equal_sizes;     // otherwise, ranks that only one side has count, too
    struct otter_sheet *most; // for each table: rows with two values per column
    unsigned n_tables;
    struct otter_diff_most numbers[OTTER_N_DIFF_NUMBERS];
    struct otter_diff_run reference; // the first rank of AFTER: its labels name all rows
};

struct otter_diff {
    struct otter_diff_side before, after;
    const struct otter_diff_job *job; // NULL: the archives are of processes
    struct otter_diff_value numbers[OTTER_N_DIFF_NUMBERS];
    struct otter_diff_table *tables;
    unsigned n_tables;
    enum otter_diff_graphs graphs;
    bool has_prediction;        // the runs of BEFORE predict the runs of AFTER
    bool may_depend_on_threads; // the graphs were not fully folded
    char *place;                // a sentence: where the graphs first differ; NULL: nowhere
};

struct otter_diff_paths {
    char *const *before, *const *after;
    uint32_t n_before, n_after;
    // of the archives: BEFORE, then AFTER; NULL for archives of processes
    const struct otter_job *jobs;
    // NULL: no prediction. The number of threads is AFTER's, not the number in the wish.
    const struct otter_diff_wish *wish;
};

// Reads and compares all archives, one at a time. The caller finishes *diff in any case.
// *Errors*: any from reading; *complaint has the message.
enum otter_status otter_diff_init(struct otter_diff *diff, const struct otter_diff_paths *paths,
                                  struct otter_complaint *complaint);
void otter_diff_finish(struct otter_diff *diff);

// ---- parts of otter_diff_init, in this order

// Reads all archives. Labels get the names from the first archive of AFTER; if there is none, from
// `reference`, which may be NULL and must outlive *diff.
enum otter_status otter_diff_read(struct otter_diff *diff, const struct otter_diff_paths *paths,
                                  struct otter_diff_run *reference,
                                  struct otter_complaint *complaint);
// Matches the rows of both sides' tables.
void otter_diff_merge(struct otter_diff *diff);
// Compares numbers and graphs. A part of otter_diff_merge.
void otter_diff_compare(struct otter_diff *diff);
// Sets `place`. Call only if the graphs differ.
enum otter_status otter_diff_find_place(struct otter_diff *diff, struct otter_complaint *complaint);

// ---- questions

// Returns the largest change of a rank in a column.
static inline struct otter_diff_most otter_diff_most_of(const struct otter_diff_row *row,
                                                        unsigned column)
{
    bool is_known = row->most && row->most[2 * column + 1] >= 0;
    return is_known ? (struct otter_diff_most){row->most[2 * column],
                                               (uint32_t)row->most[2 * column + 1]}
                    : (struct otter_diff_most){0, OTTER_NONE};
}

// Returns by how much a number of the summary changed in the rank where it changed most.
static inline struct otter_diff_most otter_diff_most_of_number(const struct otter_diff *diff,
                                                               unsigned number)
{
    return diff->job ? diff->job->numbers[number] : (struct otter_diff_most){0, OTTER_NONE};
}

// Returns the table `name`, or NULL.
const struct otter_diff_table *otter_diff_find_table(const struct otter_diff *diff,
                                                     const char *name);
// Returns why the table of functions cannot be compared: a side has no samples, so all functions of
// the other side would seem to be new or gone. Returns NULL if it can, and for other tables.
const char *otter_diff_lack_of_samples(const struct otter_diff_table *table);
// Returns the column with this name or head; n_columns if there is none. The units at the end of
// the name may be absent: "work" is "work_s".
unsigned otter_diff_find_column(const struct otter_diff_table *table, const char *name);
void otter_diff_sort(struct otter_diff_table *table, unsigned column);

// Returns the count of a row (tasks, executions, ...) on both sides; NULL if the table has none.
const struct otter_diff_value *otter_diff_count(const struct otter_diff *diff, const char *text);

// Returns whether the column is the work, while one side has more threads than the other.
bool otter_diff_has_inflation(const struct otter_diff *diff, const struct otter_column *column);
// Returns the work with more threads divided by the work with fewer threads; 0 if unknown.
double otter_diff_inflation(const struct otter_diff *diff, const struct otter_diff_value *work);

// Writes the result in one plain sentence.
enum { OTTER_DIFF_SENTENCE = 1024 };
const char *otter_diff_sentence(const struct otter_diff *diff, char text[OTTER_DIFF_SENTENCE]);
// Writes the predicted change next to the measured one. Call only if has_prediction.
const char *otter_diff_prediction_sentence(const struct otter_diff *diff,
                                           char text[OTTER_DIFF_SENTENCE]);
// The prediction: medians over the runs of BEFORE; NAN if a replay failed.
struct otter_diff_prediction {
    double least, most, replay_error; // 0.01 is 1 %
};
struct otter_diff_prediction otter_diff_prediction(const struct otter_diff *diff);
// Writes the comparison of the graphs in one sentence.
const char *otter_diff_graph_sentence(const struct otter_diff *diff,
                                      char text[OTTER_DIFF_SENTENCE]);

static inline double otter_diff_change(const struct otter_diff_value *value)
{
    return value->after.median - value->before.median;
}

// Returns the change in percent of the previous value; infinity if that value is 0.
double otter_diff_percent(const struct otter_diff_value *value);
// Writes the change in percent as text: "+5.0 %", "x 12", "=", or "" if unknown.
const char *otter_diff_percent_text(const struct otter_diff_value *value,
                                    char text[OTTER_CELL_SIZE]);

struct otter_diff_style {
    uint32_t n_rows;    // of a table, at most
    unsigned width;     // of the terminal
    const char *filter; // rows that match (otter_sheet_matches), or NULL
};

static inline bool otter_diff_is_shown(const struct otter_diff_row *row,
                                       const struct otter_diff_style *style)
{
    return !style->filter || otter_sheet_matches(row->text, style->filter);
}

// Prints one screen.
void otter_diff_print_summary(FILE *out, const struct otter_diff *diff,
                              const struct otter_diff_style *style);
// Prints one column of a table, the largest change first.
void otter_diff_print_table(FILE *out, const struct otter_diff *diff,
                            const struct otter_diff_table *table,
                            const struct otter_diff_style *style);
