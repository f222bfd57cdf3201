// Adds up the ranks of jobs.
#include "report/diff/diff_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/diff/diff_cells.h"

static struct otter_diff_run *run_of(struct otter_diff *diff, uint32_t i)
{
    uint32_t n = diff->before.n;
    return i < n ? &diff->before.runs[i] : &diff->after.runs[i - n];
}

// ---- begin

static void begin_side(struct otter_diff_side *side, char *const *paths, uint32_t n)
{
    for (side->n = 0; side->n < n; side->n++) {
        side->runs[side->n] =
            (struct otter_diff_run){.path = strdup(paths[side->n]), .is_complete = true};
    }
}

void otter_diff_job_begin(struct otter_diff *diff, struct otter_diff_job *job,
                          const struct otter_diff_paths *paths)
{
    diff->job = job;
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        job->numbers[i].rank = OTTER_NONE;
    }
    begin_side(&diff->before, paths->before, paths->n_before);
    begin_side(&diff->after, paths->after, paths->n_after);
}

// Copies the headings of an archive's tables, with `n_numbers` numbers per column.
static struct otter_sheet *create_sheets(const struct otter_diff_run *own, unsigned n_numbers)
{
    struct otter_sheet *sheets = calloc(own->n_sheets + (size_t)1, sizeof *sheets);
    for (unsigned i = 0; i < own->n_sheets; i++) {
        sheets[i].n_more = n_numbers - 1;
        otter_sheet_copy_columns(&sheets[i], &own->sheets[i], 0);
    }
    return sheets;
}

static void create_all(struct otter_diff *diff, struct otter_diff_job *job,
                       const struct otter_diff_run *own)
{
    job->most = create_sheets(own, 2);
    job->n_tables = own->n_sheets;
    for (uint32_t i = 0; i < diff->before.n + diff->after.n; i++) {
        struct otter_diff_run *run = run_of(diff, i);
        run->sheets = create_sheets(own, 1);
        run->n_sheets = own->n_sheets;
    }
}

// ---- numbers

static bool is_largest(unsigned number)
{
    return number == OTTER_DIFF_WALL || number == OTTER_DIFF_SPAN || number == OTTER_DIFF_BURDENED;
}

static void add_numbers(struct otter_diff_run *sum, const struct otter_diff_run *own)
{
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        double number = sum->numbers[i], other = own->numbers[i];
        sum->numbers[i] = !is_largest(i) ? number + other : other > number ? other : number;
    }
    sum->is_complete &= own->is_complete;
    sum->n_ranks++;
    sum->program = sum->program ? sum->program : strdup(own->program);
}

static void end_numbers(struct otter_diff_run *sum)
{
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        enum otter_column_kind kind = otter_diff_column(i)->kind;
        bool is_mean = kind == OTTER_COLUMN_PERCENT || kind == OTTER_COLUMN_RATIO;
        sum->numbers[i] /= is_mean && sum->n_ranks > 0 ? sum->n_ranks : 1;
    }
}

static void note_most(struct otter_diff_most *most, double change, uint32_t rank)
{
    bool is_more = change != 0 && !isnan(change) &&
                   (most->rank == OTTER_NONE || fabs(change) > fabs(most->change));
    *most = is_more ? (struct otter_diff_most){change, rank} : *most;
}

// ---- rows

// The rows of a table: the sums, the largest changes, and the rows of a rank's archives.
struct sum {
    struct otter_diff *diff;
    struct otter_diff_job *job;
    const struct otter_diff *own;
    unsigned table;
    uint32_t rank, n; // n: number of archives of both sides
    struct otter_diff_cells cells;
};

enum { MAX_ROWS = 4 * OTTER_DIFF_MOST_RUNS + 1 };

static bool has_both(const struct otter_diff *own)
{
    return own->before.n > 0 && own->after.n > 0;
}

// Removes the counters that a rank lacks.
static void keep_common_columns(const struct sum *sum, struct otter_diff *own)
{
    struct otter_sheet *sums = &sum->job->most[sum->table];
    for (uint32_t i = 0; i < own->before.n + own->after.n; i++) {
        const struct otter_sheet *sheet = &run_of(own, i)->sheets[sum->table];
        otter_sheet_keep_columns(sums, sheet, 0);
        for (uint32_t k = 0; k < sum->n; k++) {
            otter_sheet_keep_columns(&run_of(sum->diff, k)->sheets[sum->table], sheet, 0);
        }
    }
    for (uint32_t i = 0; i < own->before.n + own->after.n; i++) {
        otter_sheet_keep_columns(&run_of(own, i)->sheets[sum->table], sums, 0);
    }
}

static void gather(struct sum *sum)
{
    unsigned t = sum->table;
    struct otter_diff *diff = sum->diff;
    const struct otter_diff *own = sum->own;
    otter_diff_cells_add(&sum->cells, &sum->job->most[t], sum->n);
    for (uint32_t i = 0; i < sum->n; i++) {
        otter_diff_cells_add(&sum->cells, &run_of(diff, i)->sheets[t], i);
    }
    for (uint32_t i = 0; i < own->before.n; i++) {
        otter_diff_cells_add(&sum->cells, &own->before.runs[i].sheets[t], sum->n + 1 + i);
    }
    for (uint32_t i = 0; i < own->after.n; i++) {
        otter_diff_cells_add(&sum->cells, &own->after.runs[i].sheets[t],
                             sum->n + 1 + diff->before.n + i);
    }
    otter_diff_cells_sort(&sum->cells);
}

static void add_values(const struct otter_sheet *sheet, double *values, const double *own)
{
    for (unsigned k = 0; k < sheet->n_columns; k++) {
        values[k] = otter_column_combine(&sheet->columns[k], values[k], own[k]);
    }
}

// Updates the largest change and its rank in each column. `is_new`: no rank has had the row so far.
static void note_changes(const struct sum *sum, struct otter_row *const *own, double *values,
                         bool is_new)
{
    const struct otter_sheet *sheet = &sum->diff->after.runs[0].sheets[sum->table];
    uint32_t n_before = sum->diff->before.n;
    for (unsigned k = 0; k < sheet->n_columns; k++) {
        struct otter_diff_most most = {0, OTTER_NONE};
        if (!is_new && values[2 * k + 1] >= 0) {
            most = (struct otter_diff_most){values[2 * k], (uint32_t)values[2 * k + 1]};
        }
        if (has_both(sum->own) && sheet->columns[k].kind != OTTER_COLUMN_TEXT) {
            struct otter_diff_value value =
                otter_diff_value_of_rows(own, n_before, own + n_before, sum->n - n_before, k);
            note_most(&most, otter_diff_change(&value), sum->rank);
        }
        values[2 * k] = most.change;
        values[2 * k + 1] = most.rank == OTTER_NONE ? -1 : (double)most.rank;
    }
}

// Adds to the rows of the sums. New rows are appended only afterwards, since appending moves the
// other rows.
static void add_to_rows(const struct sum *sum, struct otter_row *const *rows)
{
    for (uint32_t i = 0; i < sum->n; i++) {
        const struct otter_row *own = rows[sum->n + 1 + i];
        if (rows[i] && own) {
            add_values(&run_of(sum->diff, i)->sheets[sum->table], rows[i]->values, own->values);
        }
    }
    if (rows[sum->n]) {
        note_changes(sum, rows + sum->n + 1, rows[sum->n]->values, false);
    }
}

static void add_new_rows(const struct sum *sum, struct otter_row *const *rows, const char *text)
{
    for (uint32_t i = 0; i < sum->n; i++) {
        const struct otter_row *own = rows[sum->n + 1 + i];
        if (!rows[i] && own) {
            otter_sheet_add(&run_of(sum->diff, i)->sheets[sum->table], text, own->values);
        }
    }
    if (!rows[sum->n]) {
        double values[2 * OTTER_SHEET_COLUMNS];
        note_changes(sum, rows + sum->n + 1, values, true);
        otter_sheet_add(&sum->job->most[sum->table], text, values);
    }
}

static void add_table(struct sum *sum)
{
    sum->cells = (struct otter_diff_cells){0};
    gather(sum);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0, end = 0; i < sum->cells.n; i = end) {
            struct otter_row *rows[MAX_ROWS] = {NULL};
            end = otter_diff_cells_end(&sum->cells, i);
            for (uint32_t k = i; k < end; k++) {
                rows[sum->cells.items[k].run] = sum->cells.items[k].row;
            }
            if (pass == 0) {
                add_to_rows(sum, rows);
            } else {
                add_new_rows(sum, rows, sum->cells.items[i].text);
            }
        }
    }
    free(sum->cells.items);
}

// ---- a rank

static void add_rank(struct otter_diff *diff, struct otter_diff_job *job, uint32_t rank,
                     const struct otter_diff *own)
{
    struct otter_diff_rank item = {.rank = rank, .graphs = own->graphs};
    memcpy(item.numbers, own->numbers, sizeof item.numbers);
    OTTER_VECTOR_APPEND(&job->ranks, item);
    for (unsigned i = 0; i < OTTER_N_DIFF_NUMBERS; i++) {
        note_most(&job->numbers[i], otter_diff_change(&own->numbers[i]), rank);
    }
    diff->graphs = own->graphs > diff->graphs ? own->graphs : diff->graphs;
    diff->may_depend_on_threads |= own->may_depend_on_threads;
    if (own->place && !diff->place) {
        diff->place = strdup(own->place);
        job->rank_of_place = rank;
    }
    otter_diff_labels_add_moved(&diff->before.runs[0].labels, &own->before.runs[0].labels);
}

static void add_all_numbers(struct otter_diff_side *side, const struct otter_diff_side *own)
{
    for (uint32_t i = 0; i < own->n; i++) {
        add_numbers(&side->runs[i], &own->runs[i]);
    }
}

void otter_diff_job_add(struct otter_diff *diff, struct otter_diff_job *job, uint32_t rank,
                        struct otter_diff *own)
{
    struct otter_diff_run *first = own->after.n > 0 ? &own->after.runs[0] : &own->before.runs[0];
    if (!job->most) {
        create_all(diff, job, first);
    }
    struct sum sum = {
        .diff = diff, .job = job, .own = own, .rank = rank, .n = diff->before.n + diff->after.n};
    for (; sum.table < first->n_sheets; sum.table++) {
        keep_common_columns(&sum, own);
        add_table(&sum);
    }
    add_all_numbers(&diff->before, &own->before);
    add_all_numbers(&diff->after, &own->after);
    if (has_both(own)) {
        add_rank(diff, job, rank, own);
    }
    if (!job->reference.path && own->after.n > 0) {
        job->reference = *first;
        *first = (struct otter_diff_run){0};
    }
}

// Looks for the first difference between the graphs in only one rank.
static enum otter_status compare(const struct otter_diff *diff, struct otter_diff *own,
                                 struct otter_complaint *complaint)
{
    if (!has_both(own)) {
        return OTTER_OK;
    }
    otter_diff_compare(own);
    bool needs_place = own->graphs >= OTTER_DIFF_GRAPHS_VARY && !diff->place;
    return needs_place ? otter_diff_find_place(own, complaint) : OTTER_OK;
}

enum otter_status otter_diff_job_read(struct otter_diff *diff, struct otter_diff_job *job,
                                      uint32_t rank, const struct otter_diff_paths *paths,
                                      struct otter_complaint *complaint)
{
    static struct otter_diff own; // too large for a stack
    struct otter_diff_run *reference = job->reference.path ? &job->reference : NULL;
    enum otter_status status = otter_diff_read(&own, paths, reference, complaint);
    OTTER_THEN(status, compare(diff, &own, complaint));
    if (!status) {
        otter_diff_job_add(diff, job, rank, &own);
    }
    otter_diff_finish(&own);
    return status;
}

// ---- the end

void otter_diff_job_end(struct otter_diff *diff, struct otter_diff_job *job)
{
    for (uint32_t i = 0; i < diff->before.n + diff->after.n; i++) {
        end_numbers(run_of(diff, i));
    }
    if (!job->has_equal_sizes) {
        diff->graphs = OTTER_DIFF_GRAPHS_DIFFER;
    }
    otter_diff_merge(diff);
}

void otter_diff_job_finish(struct otter_diff_job *job)
{
    for (unsigned i = 0; i < job->n_tables; i++) {
        otter_sheet_finish(&job->most[i]);
    }
    free(job->most);
    free(job->ranks.items);
    otter_diff_run_finish(&job->reference);
    *job = (struct otter_diff_job){.most = NULL};
}
