// Compares the numbers of two sides.
#include "report/diff/diff.h"

#include <math.h>
#include <string.h>

#include "report/diff/diff_cells.h"
#include "report/diff/diff_structure.h"
#include "base/order.h"

static struct otter_diff_run *run_of(struct otter_diff *diff, uint32_t i)
{
    uint32_t n = diff->before.n;
    return i < n ? &diff->before.runs[i] : &diff->after.runs[i - n];
}

// ---- rows

// `rows` has a place for each archive, before and after.
static void add_row(const struct otter_diff *diff, struct otter_diff_table *table, const char *text,
                    struct otter_row *const *rows)
{
    uint32_t n_before = diff->before.n, n_after = diff->after.n;
    struct otter_diff_value *values = calloc(table->n_columns + (size_t)1, sizeof *values);
    struct otter_diff_row row = {.text = text, .values = values};
    row.most = diff->job ? rows[n_before + n_after]->values : NULL;
    for (uint32_t i = 0; i < n_before + n_after; i++) {
        row.n_before += i < n_before && rows[i];
        row.n_after += i >= n_before && rows[i];
    }
    for (unsigned k = 0; k < table->n_columns; k++) {
        if (table->columns[k].kind != OTTER_COLUMN_TEXT) {
            values[k] = otter_diff_value_of_rows(rows, n_before, rows + n_before, n_after, k);
        }
    }
    OTTER_VECTOR_APPEND(&table->rows, row);
}

static void merge_rows(const struct otter_diff *diff, struct otter_diff_table *table,
                       struct otter_diff_cells *cells)
{
    otter_diff_cells_sort(cells);
    for (uint32_t i = 0, end = 0; i < cells->n; i = end) {
        struct otter_row *rows[2 * OTTER_DIFF_MOST_RUNS + 1] = {NULL};
        end = otter_diff_cells_end(cells, i);
        for (uint32_t k = i; k < end; k++) {
            rows[cells->items[k].run] = cells->items[k].row;
        }
        add_row(diff, table, cells->items[end - 1].text, rows);
    }
}

static bool is_size(enum otter_column_kind kind)
{
    return kind == OTTER_COLUMN_SECONDS || kind == OTTER_COLUMN_BYTES;
}

static void merge_table(struct otter_diff *diff, unsigned t)
{
    struct otter_diff_table *table = &diff->tables[t];
    struct otter_sheet *sheet = &diff->after.runs[0].sheets[t];
    struct otter_diff_cells cells = {0};
    uint32_t n = diff->before.n + diff->after.n;
    for (uint32_t i = 0; i < n; i++) {
        otter_sheet_keep_columns(sheet, &run_of(diff, i)->sheets[t], 0);
    }
    for (uint32_t i = 0; i < n; i++) {
        otter_sheet_keep_columns(&run_of(diff, i)->sheets[t], sheet, 0);
    }
    *table = (struct otter_diff_table){.name = sheet->name,
                                       .text_head = sheet->text_head,
                                       .columns = sheet->columns,
                                       .n_columns = sheet->n_columns};
    for (uint32_t i = 0; i < n; i++) {
        otter_diff_cells_add(&cells, &run_of(diff, i)->sheets[t], i);
    }
    if (diff->job) {
        otter_diff_cells_add(&cells, &diff->job->most[t], n);
    }
    merge_rows(diff, table, &cells);
    free(cells.items);
    while (table->column < table->n_columns && !is_size(table->columns[table->column].kind)) {
        table->column++;
    }
    otter_diff_sort(table, table->column < table->n_columns ? table->column : 0);
}

static void merge_numbers(struct otter_diff *diff)
{
    for (unsigned k = 0; k < OTTER_N_DIFF_NUMBERS; k++) {
        double values[2 * OTTER_DIFF_MOST_RUNS];
        for (uint32_t i = 0; i < diff->before.n + diff->after.n; i++) {
            values[i] = run_of(diff, i)->numbers[k];
        }
        diff->numbers[k] =
            otter_diff_value_of(values, diff->before.n, values + diff->before.n, diff->after.n);
    }
}

// ---- graphs

static bool is_one_structure(const struct otter_diff_run *a, const struct otter_diff_run *b,
                             bool is_folded)
{
    return is_folded ? otter_hash_is_equal(a->structure.folded, b->structure.folded)
                     : otter_hash_is_equal(a->structure.unfolded, b->structure.unfolded);
}

static bool is_one_side(const struct otter_diff_side *side)
{
    bool is_one = true;
    for (uint32_t i = 1; i < side->n; i++) {
        is_one = is_one && is_one_structure(&side->runs[0], &side->runs[i], true);
    }
    return is_one;
}

static void compare_graphs(struct otter_diff *diff)
{
    const struct otter_diff_run *after = &diff->after.runs[0];
    bool is_unfolded_one = true;
    for (uint32_t i = 0; i < diff->before.n + diff->after.n; i++) {
        is_unfolded_one = is_unfolded_one && is_one_structure(run_of(diff, i), after, false);
        diff->may_depend_on_threads |= !run_of(diff, i)->structure.is_folded_in_full;
    }
    bool is_one = is_one_structure(&diff->before.runs[0], after, true);
    diff->graphs = !is_one           ? OTTER_DIFF_GRAPHS_DIFFER
                   : is_unfolded_one ? OTTER_DIFF_GRAPHS_EQUAL
                                     : OTTER_DIFF_GRAPHS_TEAMS;
    if (!is_one_side(&diff->before) || !is_one_side(&diff->after)) {
        diff->graphs = OTTER_DIFF_GRAPHS_VARY;
    }
}

// ---- both sides

static enum otter_status read_side(struct otter_diff_side *side, char *const *paths, uint32_t n,
                                   const struct otter_job *jobs, struct otter_diff_run *reference,
                                   const struct otter_diff_wish *wish,
                                   struct otter_complaint *complaint)
{
    enum otter_status status = OTTER_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        struct otter_diff_run *run = &side->runs[side->n++];
        status = otter_diff_run_init(run, paths[i], jobs ? &jobs[i] : NULL,
                                     run == reference ? NULL : reference, wish, complaint);
    }
    return status;
}

void otter_diff_compare(struct otter_diff *diff)
{
    merge_numbers(diff);
    if (!diff->job) {
        compare_graphs(diff);
    }
}

void otter_diff_merge(struct otter_diff *diff)
{
    diff->n_tables = diff->after.runs[0].n_sheets;
    diff->tables = calloc(diff->n_tables + (size_t)1, sizeof *diff->tables);
    for (unsigned i = 0; i < diff->n_tables; i++) {
        merge_table(diff, i);
    }
    otter_diff_compare(diff);
}

enum otter_status otter_diff_read(struct otter_diff *diff, const struct otter_diff_paths *paths,
                                  struct otter_diff_run *reference,
                                  struct otter_complaint *complaint)
{
    *diff = (struct otter_diff){0};
    reference = paths->n_after > 0 ? &diff->after.runs[0] : reference;
    const struct otter_job *jobs_after = paths->jobs ? paths->jobs + paths->n_before : NULL;
    enum otter_status status = read_side(&diff->after, paths->after, paths->n_after, jobs_after,
                                         reference, NULL, complaint);
    struct otter_diff_wish wish = {0};
    if (paths->wish) {
        wish = *paths->wish;
        wish.n_threads = (uint32_t)diff->after.runs[0].numbers[OTTER_DIFF_THREADS];
    }
    diff->has_prediction = paths->wish != NULL;
    return status ? status
                  : read_side(&diff->before, paths->before, paths->n_before, paths->jobs, reference,
                              paths->wish ? &wish : NULL, complaint);
}

enum otter_status otter_diff_find_place(struct otter_diff *diff, struct otter_complaint *complaint)
{
    char place[OTTER_DIFF_PLACE];
    enum otter_status status = otter_diff_structure_place(
        &diff->before.runs[0], &diff->after.runs[0], NULL, place, complaint);
    diff->place = status || !*place ? NULL : strdup(place);
    return status;
}

enum otter_status otter_diff_init(struct otter_diff *diff, const struct otter_diff_paths *paths,
                                  struct otter_complaint *complaint)
{
    enum otter_status status = otter_diff_read(diff, paths, NULL, complaint);
    if (status) {
        return status;
    }
    otter_diff_merge(diff);
    return diff->graphs < OTTER_DIFF_GRAPHS_VARY ? OTTER_OK
                                                 : otter_diff_find_place(diff, complaint);
}

static void finish_side(struct otter_diff_side *side)
{
    for (uint32_t i = 0; i < side->n; i++) {
        otter_diff_run_finish(&side->runs[i]);
    }
}

void otter_diff_finish(struct otter_diff *diff)
{
    for (unsigned i = 0; i < diff->n_tables; i++) {
        for (uint32_t k = 0; k < diff->tables[i].rows.n; k++) {
            free(diff->tables[i].rows.items[k].values);
        }
        free(diff->tables[i].rows.items);
    }
    free(diff->tables);
    free(diff->place);
    finish_side(&diff->before);
    finish_side(&diff->after);
}

// ---- questions

const struct otter_diff_table *otter_diff_find_table(const struct otter_diff *diff,
                                                     const char *name)
{
    for (unsigned i = 0; i < diff->n_tables; i++) {
        if (strcmp(diff->tables[i].name, name) == 0) {
            return &diff->tables[i];
        }
    }
    return NULL;
}

const char *otter_diff_lack_of_samples(const struct otter_diff_table *table)
{
    uint32_t n_before = 0, n_after = 0;
    if (strcmp(table->name, "functions") != 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < table->rows.n; i++) {
        n_before += table->rows.items[i].n_before;
        n_after += table->rows.items[i].n_after;
    }
    if (n_before > 0 && n_after > 0) {
        return NULL;
    }
    return n_before > 0  ? "AFTER has no samples: otter record --sample takes them"
           : n_after > 0 ? "BEFORE has no samples: otter record --sample takes them"
                         : "the archives have no samples: otter record --sample takes them";
}

// Returns whether `head`, with '_' instead of blanks, is `name`: "high_water".
static bool is_head(const char *head, const char *name)
{
    while (*head && (*head == *name || (*head == ' ' && *name == '_'))) {
        head++;
        name++;
    }
    return !*head && !*name;
}

unsigned otter_diff_find_column(const struct otter_diff_table *table, const char *name)
{
    static const char *const units[] = {"", "_s", "_percent", "_ratio", "_bytes"};
    size_t length = strlen(name);
    for (unsigned u = 0; u < sizeof units / sizeof *units; u++) {
        for (unsigned i = 0; i < table->n_columns; i++) {
            const char *column = table->columns[i].name;
            if (strncmp(column, name, length) == 0 && strcmp(column + length, units[u]) == 0) {
                return i;
            }
        }
    }
    unsigned found = 0;
    while (found < table->n_columns && !is_head(table->columns[found].head, name)) {
        found++;
    }
    return found;
}

static _Thread_local unsigned sort_column; // for qsort's comparison

static int compare_rows(const void *a, const void *b)
{
    const struct otter_diff_row *x = a, *y = b;
    const struct otter_diff_value *left = &x->values[sort_column], *right = &y->values[sort_column];
    double one = fabs(otter_diff_change(left)), other = fabs(otter_diff_change(right));
    if (one == other || isnan(one) || isnan(other)) {
        one = isnan(one) ? -1 : left->after.median;
        other = isnan(other) ? -1 : right->after.median;
    }
    return one != other ? (one > other ? -1 : 1) : strcmp(x->text, y->text);
}

void otter_diff_sort(struct otter_diff_table *table, unsigned column)
{
    sort_column = column;
    OTTER_SORT(&table->rows, compare_rows);
    table->column = column;
}

const struct otter_diff_value *otter_diff_count(const struct otter_diff *diff, const char *text)
{
    for (unsigned t = 0; t < diff->n_tables; t++) {
        const struct otter_diff_table *table = &diff->tables[t];
        bool has_count = table->n_columns > 0 && table->columns[0].kind == OTTER_COLUMN_COUNT;
        for (uint32_t i = 0; has_count && i < table->rows.n; i++) {
            if (strcmp(table->rows.items[i].text, text) == 0) {
                return &table->rows.items[i].values[0];
            }
        }
    }
    return NULL;
}

bool otter_diff_has_inflation(const struct otter_diff *diff, const struct otter_column *column)
{
    bool is_work = strcmp(column->name, "work_s") == 0 || strcmp(column->name, "executed_s") == 0 ||
                   strcmp(column->name, "executing_s") == 0;
    return is_work && otter_diff_change(&diff->numbers[OTTER_DIFF_THREADS]) != 0;
}

double otter_diff_inflation(const struct otter_diff *diff, const struct otter_diff_value *work)
{
    bool has_more_after = otter_diff_change(&diff->numbers[OTTER_DIFF_THREADS]) > 0;
    double more = has_more_after ? work->after.median : work->before.median;
    double fewer = has_more_after ? work->before.median : work->after.median;
    return fewer > 0 ? more / fewer : 0;
}

double otter_diff_percent(const struct otter_diff_value *value)
{
    double change = otter_diff_change(value);
    return change == 0                 ? 0
           : value->before.median == 0 ? INFINITY
                                       : 100 * change / fabs(value->before.median);
}

const char *otter_diff_percent_text(const struct otter_diff_value *value,
                                    char text[OTTER_CELL_SIZE])
{
    double percent = otter_diff_percent(value);
    if (percent == 0 || isnan(percent)) {
        return percent == 0 ? "=" : "";
    }
    if (isinf(percent)) {
        return "new";
    }
    if (value->after.median == 0) {
        return "gone";
    }
    if (percent > 999) {
        double ratio = value->after.median / value->before.median;
        bool is_large = ratio >= 999999.5;
        snprintf(text, OTTER_CELL_SIZE, is_large ? "x %.*e" : "x %.*f", ratio < 99.95, ratio);
        return text;
    }
    snprintf(text, OTTER_CELL_SIZE, "%+.1f %%", percent);
    return text;
}
