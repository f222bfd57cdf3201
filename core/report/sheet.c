// Prints tables in three forms.
#include "report/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "graph/export/text.h"
#include "report/number.h"
#include "report/plain.h"

enum { TEXT_WIDTH = 30, COLUMN_WIDTH = 10 };

void otter_sheet_add(struct otter_sheet *table, const char *text, const double *values)
{
    char *copy = strdup(text);
    if (!copy || !OTTER_VECTOR_RESERVE(&table->rows)) {
        free(copy);
        table->is_short_of_memory = true;
        return;
    }
    struct otter_row *row = &table->rows.items[table->rows.n++];
    *row = (struct otter_row){.text = copy};
    memcpy(row->values, values, table->n_columns * sizeof *values);
}

static unsigned sort_column; // of qsort's comparison; the command has one thread

static int compare(const void *a, const void *b)
{
    const struct otter_row *x = a, *y = b;
    double left = x->values[sort_column], right = y->values[sort_column];
    return left != right ? (left > right ? -1 : 1) : strcmp(x->text, y->text);
}

void otter_sheet_sort(struct otter_sheet *table, unsigned column)
{
    sort_column = column;
    if (table->rows.n > 0) {
        qsort(table->rows.items, table->rows.n, sizeof *table->rows.items, compare);
    }
}

void otter_sheet_finish(struct otter_sheet *table)
{
    for (uint32_t i = 0; i < table->rows.n; i++) {
        free(table->rows.items[i].text);
    }
    free(table->rows.items);
    table->rows.items = NULL;
    table->rows.n = table->rows.room = 0;
}

// ---- text

static void print_cell(FILE *out, enum otter_column_kind kind, double value)
{
    char text[OTTER_MAX_NUMBER];
    switch (kind) {
    case OTTER_COLUMN_COUNT:
        otter_print(out, " %*s", COLUMN_WIDTH, otter_number_text((uint64_t)(value + 0.5), text));
        return;
    case OTTER_COLUMN_SECONDS:
        otter_print(out, " %*s", COLUMN_WIDTH, otter_duration_text(value, text));
        return;
    case OTTER_COLUMN_PERCENT: otter_print(out, " %*.1f %%", COLUMN_WIDTH - 2, value); return;
    case OTTER_COLUMN_RATIO: otter_print(out, " %*.2f", COLUMN_WIDTH, value); return;
    }
}

void otter_sheet_print(FILE *out, const struct otter_sheet *table, uint32_t n_rows)
{
    otter_print(out, "%-*s", TEXT_WIDTH, table->text_head);
    for (unsigned i = 0; i < table->n_columns; i++) {
        otter_print(out, " %*s", COLUMN_WIDTH, table->columns[i].head);
    }
    otter_print(out, "\n");
    for (uint32_t i = 0; i < table->rows.n && i < n_rows; i++) {
        const struct otter_row *row = &table->rows.items[i];
        size_t width = otter_plain_print(out, row->text, TEXT_WIDTH);
        otter_print(out, "%*s", (int)(TEXT_WIDTH - width), "");
        for (unsigned k = 0; k < table->n_columns; k++) {
            print_cell(out, table->columns[k].kind, row->values[k]);
        }
        otter_print(out, "\n");
    }
    if (table->rows.n > n_rows) {
        otter_print(out, "%u more: --top=%u\n", table->rows.n - n_rows, table->rows.n);
    }
}

// ---- CSV

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
            otter_print(out, ",%.9g", table->rows.items[i].values[k]);
        }
        otter_print(out, "\n");
    }
}

// ---- JSON

json_t *otter_sheet_json(const struct otter_sheet *table)
{
    json_t *rows = json_array();
    for (uint32_t i = 0; i < table->rows.n && rows; i++) {
        json_t *row = json_object();
        otter_json_set(row, table->text_head, otter_json_text(table->rows.items[i].text));
        for (unsigned k = 0; k < table->n_columns; k++) {
            double value = table->rows.items[i].values[k];
            bool is_count = table->columns[k].kind == OTTER_COLUMN_COUNT;
            otter_json_set(row, table->columns[k].name,
                           is_count ? otter_json_number((uint64_t)(value + 0.5))
                                    : json_real(value));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}
