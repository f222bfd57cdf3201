// Compares the numbers of two sides.
#include "report/diff.h"

#include <math.h>
#include <string.h>

#include "report/diff_structure.h"
#include "report/sorted.h"

static struct otter_diff_run *run_of(struct otter_diff *diff, uint32_t i)
{
    uint32_t n = diff->before.n;
    return i < n ? &diff->before.runs[i] : &diff->after.runs[i - n];
}

// ---- rows

// A row of one archive. Rows of equal text in one table are matched by their order.
struct cell {
    const char *text;
    uint32_t occurrence;
    uint32_t run; // of before, then of after
    const struct otter_row *row;
};

struct cells {
    OTTER_VECTOR(struct cell);
};

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    order = order ? order : (x->occurrence > y->occurrence) - (x->occurrence < y->occurrence);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static int compare_rows_of_run(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

// Adds the rows of an archive, and counts the occurrences of each text.
static bool add_cells(struct cells *cells, const struct otter_sheet *sheet, uint32_t run)
{
    uint32_t first = cells->n;
    for (uint32_t i = 0; i < sheet->rows.n; i++) {
        const struct otter_row *row = &sheet->rows.items[i];
        if (!OTTER_VECTOR_RESERVE(cells)) {
            return false;
        }
        cells->items[cells->n++] = (struct cell){.text = row->text, .run = run, .row = row};
    }
    if (cells->n > first) {
        qsort(cells->items + first, cells->n - first, sizeof *cells->items, compare_rows_of_run);
    }
    for (uint32_t i = first + 1; i < cells->n; i++) {
        struct cell *cell = &cells->items[i];
        bool is_again = strcmp(cell[-1].text, cell->text) == 0;
        cell->occurrence = is_again ? cell[-1].occurrence + 1 : 0;
    }
    return true;
}

static bool add_row(const struct otter_diff *diff, struct otter_diff_table *table,
                    const struct cell *cells, uint32_t n)
{
    if (!OTTER_VECTOR_RESERVE(&table->rows)) {
        return false;
    }
    struct otter_diff_row *row = &table->rows.items[table->rows.n++];
    *row = (struct otter_diff_row){.text = cells[n - 1].text}; // after, if it is there
    row->values = malloc((table->n_columns + 1) * sizeof *row->values);
    for (uint32_t i = 0; i < n; i++) {
        row->n_before += cells[i].run < diff->before.n;
        row->n_after += cells[i].run >= diff->before.n;
    }
    for (unsigned k = 0; k < table->n_columns && row->values; k++) {
        double values[2 * OTTER_DIFF_MOST_RUNS] = {0};
        bool is_text = table->columns[k].kind == OTTER_COLUMN_TEXT;
        for (uint32_t i = 0; i < n; i++) {
            values[cells[i].run] = is_text ? 0 : cells[i].row->values[k];
        }
        row->values[k] =
            otter_diff_value_of(values, diff->before.n, values + diff->before.n, diff->after.n);
    }
    return row->values != NULL;
}

static bool merge_rows(const struct otter_diff *diff, struct otter_diff_table *table,
                       struct cells *cells)
{
    bool is_good = true;
    OTTER_SORT(cells, compare_cells);
    for (uint32_t i = 0, end = 0; i < cells->n && is_good; i = end) {
        const struct cell *first = &cells->items[i];
        for (end = i + 1; end < cells->n && cells->items[end].occurrence == first->occurrence &&
                          strcmp(cells->items[end].text, first->text) == 0;) {
            end++;
        }
        is_good = add_row(diff, table, first, end - i);
    }
    return is_good;
}

static bool is_size(enum otter_column_kind kind)
{
    return kind == OTTER_COLUMN_SECONDS || kind == OTTER_COLUMN_BYTES;
}

static bool merge_table(struct otter_diff *diff, unsigned t)
{
    struct otter_diff_table *table = &diff->tables[t];
    const struct otter_sheet *sheet = &diff->after.runs[0].sheets[t];
    struct cells cells = {0};
    bool is_good = true;
    *table = (struct otter_diff_table){.name = sheet->name,
                                       .text_head = sheet->text_head,
                                       .columns = sheet->columns,
                                       .n_columns = sheet->n_columns};
    for (uint32_t i = 0; i < diff->before.n + diff->after.n && is_good; i++) {
        is_good = add_cells(&cells, &run_of(diff, i)->sheets[t], i);
    }
    is_good = is_good && merge_rows(diff, table, &cells);
    free(cells.items);
    while (table->column < table->n_columns && !is_size(table->columns[table->column].kind)) {
        table->column++;
    }
    otter_diff_sort(table, table->column < table->n_columns ? table->column : 0);
    return is_good;
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
    bool is_stable = is_one_side(&diff->before) && is_one_side(&diff->after);
    bool is_one = is_one_structure(&diff->before.runs[0], after, true);
    diff->graphs = !is_stable        ? OTTER_DIFF_GRAPHS_VARY
                   : !is_one         ? OTTER_DIFF_GRAPHS_DIFFER
                   : is_unfolded_one ? OTTER_DIFF_GRAPHS_EQUAL
                                     : OTTER_DIFF_GRAPHS_TEAMS;
}

// ---- both sides

static enum otter_status read_side(struct otter_diff_side *side, char **paths, uint32_t n,
                                   struct otter_diff_run *reference,
                                   struct otter_complaint *complaint)
{
    enum otter_status status = OTTER_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        struct otter_diff_run *run = &side->runs[side->n++];
        status = otter_diff_run_init(run, paths[i], run == reference ? NULL : reference, complaint);
    }
    return status;
}

bool otter_diff_merge(struct otter_diff *diff)
{
    diff->n_tables = diff->after.runs[0].n_sheets;
    diff->tables = calloc(diff->n_tables + (size_t)1, sizeof *diff->tables);
    bool is_good = diff->tables != NULL;
    for (unsigned i = 0; i < diff->n_tables && is_good; i++) {
        is_good = merge_table(diff, i);
    }
    merge_numbers(diff);
    compare_graphs(diff);
    return is_good;
}

enum otter_status otter_diff_init(struct otter_diff *diff, char **before, uint32_t n_before,
                                  char **after, uint32_t n_after, struct otter_complaint *complaint)
{
    *diff = (struct otter_diff){0};
    char place[OTTER_DIFF_PLACE];
    struct otter_diff_run *reference = &diff->after.runs[0];
    enum otter_status status = read_side(&diff->after, after, n_after, reference, complaint);
    status = status ? status : read_side(&diff->before, before, n_before, reference, complaint);
    status = status || otter_diff_merge(diff) ? status : OTTER_NO_MEMORY;
    if (status || diff->graphs < OTTER_DIFF_GRAPHS_VARY) {
        return status;
    }
    status =
        otter_diff_structure_place(&diff->before.runs[0], &diff->after.runs[0], place, complaint);
    diff->place = status || !*place ? NULL : strdup(place);
    return status;
}

static void finish_side(struct otter_diff_side *side)
{
    for (uint32_t i = 0; i < side->n; i++) {
        otter_diff_run_finish(&side->runs[i]);
    }
}

void otter_diff_finish(struct otter_diff *diff)
{
    for (unsigned i = 0; i < diff->n_tables && diff->tables; i++) {
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

// Whether `head`, with '_' for blanks, is `name`: "high_water".
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

static unsigned sort_column; // of qsort's comparison; the command has one thread

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
