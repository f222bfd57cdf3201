// Chooses the columns of counters, and computes their values.
#include "report/table/count_columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"

// Returns the name of a counter in CSV and JSON: "LLC-load-misses" is "llc_load_misses".
static char *plain_name(const char *name, const char *before, const char *after)
{
    char *plain = otter_path("%s%s%s", before, name, after);
    for (char *at = plain; *at; at++) {
        *at = isalnum((unsigned char)*at) ? (char)tolower((unsigned char)*at) : '_';
    }
    return plain;
}

// Returns a text that the table owns. Frees `text`.
static const char *own(struct otter_sheet *table, char *text)
{
    const char *copy = otter_sheet_text_of(table, otter_sheet_text(table, text));
    free(text);
    return copy;
}

static struct otter_column column_of(struct otter_sheet *table, const char *name,
                                     enum otter_count_kind kind)
{
    switch (kind) {
    case OTTER_COUNT_ALL:
        return (struct otter_column){own(table, plain_name(name, "", "")),
                                     own(table, otter_path("%s", name)), OTTER_COLUMN_COUNT};
    case OTTER_COUNT_EACH:
        return (struct otter_column){own(table, plain_name(name, "mean_", "")),
                                     own(table, otter_path("%s each", name)), OTTER_COLUMN_RATIO};
    case OTTER_COUNT_PER_CYCLE: break;
    case OTTER_COUNT_PER_1000:
        return (struct otter_column){own(table, plain_name(name, "", "_per_1000")),
                                     own(table, otter_path("%s/1000", name)), OTTER_COLUMN_RATIO};
    }
    return (struct otter_column){"ipc", "IPC", OTTER_COLUMN_RATIO};
}

// If instructions are counted, cycles have no column of their own: instructions are shown per
// cycle.
static void choose(struct otter_count_columns *columns, enum otter_count_kind kind)
{
    const struct otter_counts *counts = columns->counts;
    unsigned cycles = otter_counts_find(counts, "cycles");
    unsigned instructions = otter_counts_find(counts, "instructions");
    bool has_ratio = cycles < counts->n && instructions < counts->n;
    for (unsigned i = 0; i < counts->n; i++) {
        struct otter_count_column column = {i, i, kind};
        if (has_ratio && i == instructions) {
            column = (struct otter_count_column){i, cycles, OTTER_COUNT_PER_CYCLE};
        } else if (instructions < counts->n && strstr(counts->names[i], "misses")) {
            column = (struct otter_count_column){i, instructions, OTTER_COUNT_PER_1000};
        }
        if (!has_ratio || i != cycles) {
            columns->items[columns->n++] = column;
        }
    }
}

struct otter_count_columns otter_count_columns_add(const struct otter_report *report,
                                                   struct otter_sheet *table, unsigned at,
                                                   enum otter_count_kind kind)
{
    struct otter_count_columns columns = {.counts = report->counts, .at = at};
    if (!report->counts || report->counts->n == 0) {
        return columns;
    }
    choose(&columns, kind);
    unsigned room = OTTER_SHEET_COLUMNS - table->n_columns;
    columns.n = columns.n < room ? columns.n : room;
    unsigned n = table->n_columns + columns.n;
    struct otter_column *all = malloc(n * sizeof *all);
    memcpy(all, table->columns, at * sizeof *all);
    for (unsigned i = 0; i < columns.n; i++) {
        const struct otter_count_column *column = &columns.items[i];
        all[at + i] = column_of(table, columns.counts->names[column->counter], column->kind);
    }
    memcpy(all + at + columns.n, table->columns + at, (table->n_columns - at) * sizeof *all);
    table->columns = table->own_columns = all;
    table->n_columns = n;
    return columns;
}

static double value_of(const struct otter_count_columns *columns,
                       const struct otter_count_column *column, uint32_t label, uint64_t n)
{
    double count = (double)otter_counts_of(columns->counts, column->counter, label);
    double base = (double)otter_counts_of(columns->counts, column->base, label);
    switch (column->kind) {
    case OTTER_COUNT_ALL: return count;
    case OTTER_COUNT_EACH: return n > 0 ? count / (double)n : NAN;
    case OTTER_COUNT_PER_CYCLE: return base > 0 ? count / base : NAN;
    case OTTER_COUNT_PER_1000: return base > 0 ? 1000 * count / base : NAN;
    }
    return NAN;
}

void otter_count_columns_row(const struct otter_count_columns *columns, struct otter_sheet *table,
                             const char *text, const double *values, uint32_t label, uint64_t n)
{
    double all[OTTER_SHEET_COLUMNS];
    unsigned at = columns->at;
    memcpy(all, values, at * sizeof *all);
    for (unsigned i = 0; i < columns->n; i++) {
        all[at + i] = value_of(columns, &columns->items[i], label, n);
    }
    memcpy(all + at + columns->n, values + at, (table->n_columns - columns->n - at) * sizeof *all);
    otter_sheet_add(table, text, all);
}
