// Prints tables in three forms.
#include <math.h>
#include <string.h>

#include "base/text/print.h"
#include "graph/export/text.h"
#include "base/text/number.h"
#include "report/form/plain.h"
#include "report/form/sheet.h"
#include "report/form/wrap.h"

// ---- a terminal

enum {
    MIN_TEXT = 24, // columns that the first text gets, if it needs them
    MAX_DEPTH = 8, // levels that are indented, by 2 columns each
    MAX_TEXT = 24, // columns of any other text
    GAP = 2,
};

const char *otter_sheet_number(enum otter_column_kind kind, double value,
                               char text[OTTER_CELL_SIZE])
{
    if (isnan(value)) {
        snprintf(text, OTTER_CELL_SIZE, "-");
        return text;
    }
    switch (kind) {
    case OTTER_COLUMN_COUNT: return otter_number_text((uint64_t)(value + 0.5), text);
    case OTTER_COLUMN_SECONDS: return otter_duration_text(value, text);
    case OTTER_COLUMN_PERCENT:
        snprintf(text, OTTER_CELL_SIZE, value > 1000 ? ">1000 %%" : "%.1f %%", value);
        break;
    case OTTER_COLUMN_BYTES: return otter_size_text(value, text);
    default: snprintf(text, OTTER_CELL_SIZE, "%.2f", value); break;
    }
    return text;
}

// The widths of the columns, and how many columns fit.
struct layout {
    unsigned n_columns;
    size_t text_width;
    size_t widths[OTTER_SHEET_COLUMNS];
};

static size_t cell_width(const struct otter_sheet *table, unsigned column, double value,
                         bool is_full)
{
    char text[OTTER_CELL_SIZE];
    if (table->columns[column].kind != OTTER_COLUMN_TEXT) {
        return strlen(otter_sheet_number(table->columns[column].kind, value, text));
    }
    size_t width = otter_plain_width(otter_sheet_text_of(table, value));
    return is_full || width < MAX_TEXT ? width : MAX_TEXT;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t indent(const struct otter_row *row)
{
    return 2 * (row->depth < MAX_DEPTH ? row->depth : MAX_DEPTH);
}

// Widens the columns so that the first `n_rows` rows fit. Returns the width of the longest first
// text.
static size_t widen(const struct otter_sheet *table, const struct otter_rows *rows, uint32_t n_rows,
                    bool is_full, struct layout *layout)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < rows->n && i < n_rows; i++) {
        const struct otter_row *row = &rows->items[i];
        longest = larger(longest, otter_plain_width(row->text) + indent(row));
        for (unsigned k = 0; k < table->n_columns; k++) {
            layout->widths[k] =
                larger(layout->widths[k], cell_width(table, k, row->values[k], is_full));
        }
    }
    return longest;
}

// Gives the first text the width that the numbers leave.
static void fit(const struct otter_sheet *table, uint32_t n_rows, size_t width,
                struct layout *layout)
{
    size_t longest = strlen(table->text_head);
    for (unsigned k = 0; k < table->n_columns; k++) {
        layout->widths[k] = strlen(table->columns[k].head);
    }
    longest = larger(longest, widen(table, &table->rows, n_rows, width == 0, layout));
    longest = larger(longest, widen(table, &table->sums, UINT32_MAX, width == 0, layout));
    size_t used = longest < MIN_TEXT ? longest : MIN_TEXT;
    while (layout->n_columns < table->n_columns &&
           (width == 0 || used + GAP + layout->widths[layout->n_columns] <= width)) {
        used += GAP + layout->widths[layout->n_columns++];
    }
    size_t rest = width > used ? width - used : 0;
    layout->text_width = longest < MIN_TEXT                         ? longest
                         : width == 0 || longest <= MIN_TEXT + rest ? longest
                                                                    : MIN_TEXT + rest;
}

static void print_blanks(FILE *out, size_t n)
{
    otter_print(out, "%*s", (int)n, "");
}

static void print_text(FILE *out, const char *text, size_t width, bool is_last)
{
    size_t used = otter_plain_print(out, text, width);
    print_blanks(out, is_last ? 0 : width - used);
}

static void print_row(FILE *out, const struct otter_sheet *table, const struct otter_row *row,
                      const struct layout *layout)
{
    char text[OTTER_CELL_SIZE];
    size_t blanks = indent(row) < layout->text_width ? indent(row) : 0;
    print_blanks(out, blanks);
    print_text(out, row->text, layout->text_width - blanks, layout->n_columns == 0);
    for (unsigned k = 0; k < layout->n_columns; k++) {
        print_blanks(out, GAP);
        if (table->columns[k].kind == OTTER_COLUMN_TEXT) {
            print_text(out, otter_sheet_text_of(table, row->values[k]), layout->widths[k],
                       k + 1 == layout->n_columns);
        } else {
            otter_print(out, "%*s", (int)layout->widths[k],
                        otter_sheet_number(table->columns[k].kind, row->values[k], text));
        }
    }
    otter_print(out, "\n");
}

static void print_head(FILE *out, const struct otter_sheet *table, const struct layout *layout)
{
    print_text(out, table->text_head, layout->text_width, layout->n_columns == 0);
    for (unsigned k = 0; k < layout->n_columns; k++) {
        print_blanks(out, GAP);
        if (table->columns[k].kind == OTTER_COLUMN_TEXT) {
            print_text(out, table->columns[k].head, layout->widths[k], k + 1 == layout->n_columns);
        } else {
            otter_print(out, "%*s", (int)layout->widths[k], table->columns[k].head);
        }
    }
    otter_print(out, "\n");
}

static void print_left_out(FILE *out, const struct otter_sheet *table, unsigned first,
                           unsigned width)
{
    enum { LIST_SIZE = 1000 };
    char list[LIST_SIZE];
    size_t length = (size_t)snprintf(list, sizeof list, "columns left out:");
    for (unsigned k = first; k < table->n_columns && length < sizeof list; k++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s %s",
                                   k > first ? "," : "", table->columns[k].head);
    }
    if (length < sizeof list) {
        snprintf(list + length, sizeof list - length, " (--full)");
    }
    otter_print_wrapped_at(out, (int)width, 0, list);
}

static void print_empty(FILE *out, const struct otter_sheet *table, unsigned width)
{
    char text[200];
    if (!table->note) {
        otter_print(out, "(no rows)\n");
        return;
    }
    snprintf(text, sizeof text, "(no rows: %s)", table->note);
    otter_print_wrapped_at(out, (int)width, 0, text);
}

void otter_sheet_print(FILE *out, const struct otter_sheet *table, uint32_t n_rows, unsigned width)
{
    struct layout layout = {0};
    fit(table, n_rows, width, &layout);
    print_head(out, table, &layout);
    for (uint32_t i = 0; i < table->rows.n && i < n_rows; i++) {
        print_row(out, table, &table->rows.items[i], &layout);
    }
    if (table->rows.n == 0) {
        print_empty(out, table, width);
    }
    if (table->rows.n > n_rows) {
        otter_print(out, "%u more: --top=%u\n", table->rows.n - n_rows, table->rows.n);
    }
    for (uint32_t i = 0; i < table->sums.n; i++) {
        print_row(out, table, &table->sums.items[i], &layout);
    }
    if (layout.n_columns < table->n_columns) {
        print_left_out(out, table, layout.n_columns, width);
    }
}

// ---- CSV

static void put_csv_cell(FILE *out, const struct otter_sheet *table, unsigned column, double value)
{
    otter_print(out, ",");
    if (table->columns[column].kind == OTTER_COLUMN_TEXT) {
        otter_put_csv(out, otter_sheet_text_of(table, value));
    } else if (!isnan(value)) {
        otter_print(out, "%.9g", value);
    }
}

void otter_sheet_print_csv(FILE *out, const struct otter_sheet *table)
{
    otter_print(out, "%s", table->text_head);
    for (unsigned i = 0; i < table->n_columns; i++) {
        otter_print(out, ",%s", table->columns[i].name);
    }
    otter_print(out, "\n");
    for (uint32_t i = 0; i < table->rows.n; i++) {
        otter_put_csv(out, table->rows.items[i].text);
        for (unsigned k = 0; k < table->n_columns; k++) {
            put_csv_cell(out, table, k, table->rows.items[i].values[k]);
        }
        otter_print(out, "\n");
    }
}

// ---- JSON

static json_t *json_cell(const struct otter_sheet *table, unsigned column, double value)
{
    switch (table->columns[column].kind) {
    case OTTER_COLUMN_TEXT: return otter_json_text(otter_sheet_text_of(table, value));
    case OTTER_COLUMN_COUNT:
    case OTTER_COLUMN_BYTES:
        return isnan(value) ? json_null() : otter_json_number((uint64_t)(value + 0.5));
    default: return isnan(value) ? json_null() : json_real(value);
    }
}

json_t *otter_sheet_json(const struct otter_sheet *table)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < table->rows.n; i++) {
        json_t *row = json_object();
        otter_json_set(row, table->text_head, otter_json_text(table->rows.items[i].text));
        for (unsigned k = 0; k < table->n_columns; k++) {
            otter_json_set(row, table->columns[k].name,
                           json_cell(table, k, table->rows.items[i].values[k]));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}
