// Stores, sorts and selects the rows of a table.
#include "report/form/sheet.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"

static void add_row(const struct otter_sheet *table, struct otter_rows *rows, uint32_t depth,
                    const char *text, const double *values)
{
    size_t n = (size_t)table->n_columns * (table->n_more + 1);
    double *own = malloc((n + 1) * sizeof *own);
    memcpy(own, values, n * sizeof *values);
    OTTER_VECTOR_APPEND(rows, (struct otter_row){strdup(text), own, depth});
}

void otter_sheet_add(struct otter_sheet *table, const char *text, const double *values)
{
    add_row(table, &table->rows, 0, text, values);
}

void otter_sheet_add_inside(struct otter_sheet *table, uint32_t depth, const char *text,
                            const double *values)
{
    add_row(table, &table->rows, depth, text, values);
}

void otter_sheet_add_sum(struct otter_sheet *table, const char *text, const double *values)
{
    add_row(table, &table->sums, 0, text, values);
}

double otter_sheet_text(struct otter_sheet *table, const char *text)
{
    OTTER_VECTOR_APPEND(&table->texts, strdup(text));
    return table->texts.n - 1;
}

const char *otter_sheet_text_of(const struct otter_sheet *table, double value)
{
    return value >= 0 && value < table->texts.n ? table->texts.items[(uint32_t)value] : "";
}

// ---- sums

static bool begins_with(const char *name, const char *begin)
{
    return strncmp(name, begin, strlen(begin)) == 0;
}

double otter_column_combine(const struct otter_column *column, double a, double b)
{
    static const char *const largest[] = {"median", "mean", "p99", "max"};
    bool adds_up = column->kind != OTTER_COLUMN_PERCENT && column->kind != OTTER_COLUMN_RATIO;
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        adds_up = adds_up && !begins_with(column->name, largest[i]);
    }
    if (column->kind == OTTER_COLUMN_TEXT || isnan(a) || isnan(b)) {
        return column->kind == OTTER_COLUMN_TEXT ? NAN : isnan(a) ? b : a;
    }
    double least = a < b ? a : b, most = a < b ? b : a;
    return begins_with(column->name, "min") ? least : adds_up ? a + b : most;
}

// ---- order

// For qsort's comparison, in this thread.
static _Thread_local const struct otter_sheet *sorted_table;
static _Thread_local unsigned sort_column; // n_columns: the text in the first column

static int compare_texts(double a, double b)
{
    return strcmp(otter_sheet_text_of(sorted_table, a), otter_sheet_text_of(sorted_table, b));
}

// Unknown numbers are last.
static int compare(const void *a, const void *b)
{
    const struct otter_row *x = a, *y = b;
    if (sort_column == sorted_table->n_columns) {
        return strcmp(x->text, y->text);
    }
    double left = x->values[sort_column], right = y->values[sort_column];
    int order = 0;
    if (sorted_table->columns[sort_column].kind == OTTER_COLUMN_TEXT) {
        order = compare_texts(left, right);
    } else if (isnan(left) || isnan(right)) {
        order = (isnan(left) != 0) - (isnan(right) != 0);
    } else {
        order = (left < right) - (left > right);
    }
    return order ? order : strcmp(x->text, y->text);
}

void otter_sheet_sort(struct otter_sheet *table, unsigned column)
{
    sorted_table = table;
    sort_column = column;
    OTTER_SORT(&table->rows, compare);
}

unsigned otter_sheet_find_column(const struct otter_sheet *table, const char *name)
{
    unsigned column = 0;
    while (column < table->n_columns && strcmp(table->columns[column].name, name) != 0) {
        column++;
    }
    return column;
}

// Returns a copy that the table owns.
static const char *own_text(struct otter_sheet *table, const char *text)
{
    return otter_sheet_text_of(table, otter_sheet_text(table, text));
}

void otter_sheet_copy_columns(struct otter_sheet *table, const struct otter_sheet *from,
                              unsigned n_first)
{
    unsigned room = OTTER_SHEET_COLUMNS - n_first;
    unsigned n = from->n_columns < room ? from->n_columns : room;
    struct otter_column *columns = calloc(OTTER_SHEET_COLUMNS, sizeof *columns);
    for (unsigned i = 0; i < n; i++) {
        const struct otter_column *column = &from->columns[i];
        columns[n_first + i] = (struct otter_column){own_text(table, column->name),
                                                     own_text(table, column->head), column->kind};
    }
    table->name = from->name;
    table->text_head = from->text_head;
    table->columns = table->own_columns = columns;
    table->n_columns = n_first + n;
}

static void keep_values(struct otter_rows *rows, const unsigned *from, unsigned n, unsigned width)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        double values[2 * OTTER_SHEET_COLUMNS], *own = rows->items[i].values;
        for (unsigned k = 0; k < n * width; k++) {
            values[k] = own[from[k / width] * width + k % width];
        }
        memcpy(own, values, n * width * sizeof *values);
    }
}

void otter_sheet_keep_columns(struct otter_sheet *table, const struct otter_sheet *other,
                              unsigned n_first)
{
    struct otter_column columns[OTTER_SHEET_COLUMNS];
    unsigned from[OTTER_SHEET_COLUMNS], n = 0;
    bool is_same = true;
    for (unsigned i = 0; i < n_first + other->n_columns; i++) {
        unsigned k =
            i < n_first ? i : otter_sheet_find_column(table, other->columns[i - n_first].name);
        if (k < table->n_columns) {
            is_same &= k == n;
            columns[n] = table->columns[k];
            from[n++] = k;
        }
    }
    if (!table->own_columns || (is_same && n == table->n_columns)) {
        return;
    }
    keep_values(&table->rows, from, n, table->n_more + 1);
    keep_values(&table->sums, from, n, table->n_more + 1);
    memcpy(table->own_columns, columns, n * sizeof *columns);
    table->n_columns = n;
}

bool otter_sheet_sort_by(struct otter_sheet *table, const char *name)
{
    unsigned column = otter_sheet_find_column(table, name);
    for (unsigned i = 0; column == table->n_columns && i < table->n_columns; i++) {
        column = strcmp(table->columns[i].head, name) == 0 ? i : column;
    }
    if (column == table->n_columns && strcmp(table->text_head, name) != 0) {
        return false;
    }
    otter_sheet_sort(table, column);
    return true;
}

// ---- selection

bool otter_sheet_matches(const char *text, const char *pattern)
{
    bool is_glob = strpbrk(pattern, "*?") != NULL;
    return is_glob ? fnmatch(pattern, text, 0) == 0 : strstr(text, pattern) != NULL;
}

static bool row_matches(const struct otter_sheet *table, const struct otter_row *row,
                        const char *pattern)
{
    bool is_match = otter_sheet_matches(row->text, pattern);
    for (unsigned i = 0; i < table->n_columns && !is_match; i++) {
        is_match = table->columns[i].kind == OTTER_COLUMN_TEXT &&
                   otter_sheet_matches(otter_sheet_text_of(table, row->values[i]), pattern);
    }
    return is_match;
}

static void finish_row(struct otter_row *row)
{
    free(row->text);
    free(row->values);
}

void otter_sheet_filter(struct otter_sheet *table, const char *pattern)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < table->rows.n; i++) {
        struct otter_row *row = &table->rows.items[i];
        if (row_matches(table, row, pattern)) {
            table->rows.items[n++] = *row;
        } else {
            finish_row(row);
        }
    }
    table->rows.n = n;
}

static int compare_values(const void *a, const void *b)
{
    return OTTER_COMPARE(*(const double *)b, *(const double *)a);
}

void otter_sheet_keep(struct otter_sheet *table, unsigned column, uint32_t n)
{
    struct otter_rows *rows = &table->rows;
    if (rows->n <= n) {
        return;
    }
    double *values = malloc(rows->n * sizeof *values);
    for (uint32_t i = 0; i < rows->n; i++) {
        values[i] = rows->items[i].values[column];
    }
    qsort(values, rows->n, sizeof *values, compare_values);
    double least = values[n];
    uint32_t n_equal = n, n_kept = 0; // rows with the value `least` that are kept
    while (n_equal > 0 && values[n - n_equal] > least) {
        n_equal--;
    }
    free(values);
    for (uint32_t i = 0; i < rows->n; i++) {
        struct otter_row *row = &rows->items[i];
        bool is_equal = row->values[column] == least && n_equal > 0;
        n_equal -= is_equal;
        if (is_equal || row->values[column] > least) {
            rows->items[n_kept++] = *row;
        } else {
            finish_row(row);
        }
    }
    table->n_left_out = rows->n - n_kept;
    rows->n = n_kept;
}

static void finish_rows(struct otter_rows *rows)
{
    for (uint32_t i = 0; i < rows->n; i++) {
        finish_row(&rows->items[i]);
    }
    free(rows->items);
    *rows = (struct otter_rows){0};
}

void otter_sheet_finish(struct otter_sheet *table)
{
    finish_rows(&table->rows);
    finish_rows(&table->sums);
    for (uint32_t i = 0; i < table->texts.n; i++) {
        free(table->texts.items[i]);
    }
    free(table->own_columns);
    table->own_columns = NULL;
    free(table->texts.items);
    table->texts.items = NULL;
    table->texts.n = table->texts.room = 0;
}
