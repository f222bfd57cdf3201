// A table of numbers with a text in front, for a terminal, as CSV and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/vector.h"
#include "report/json.h"

enum otter_column_kind {
    OTTER_COLUMN_COUNT = 0,
    OTTER_COLUMN_SECONDS,
    OTTER_COLUMN_PERCENT,
    OTTER_COLUMN_RATIO,
};

struct otter_column {
    const char *name; // "median_s": of CSV and JSON
    const char *head; // "median": of the terminal
    enum otter_column_kind kind;
};

enum { OTTER_MAX_COLUMNS = 12 };

struct otter_row {
    char *text; // the table's
    double values[OTTER_MAX_COLUMNS];
};

struct otter_sheet {
    const char *name;      // "tasks"
    const char *text_head; // "task"
    const struct otter_column *columns;
    unsigned n_columns;
    struct {
        OTTER_VECTOR(struct otter_row);
    } rows;
    bool is_short_of_memory;
};

// Copies `text`; `values` has n_columns numbers: seconds, percent (0 to 100), counts.
void otter_sheet_add(struct otter_sheet *table, const char *text, const double *values);
// Sorts by column, the largest value first, and by text where values are equal.
void otter_sheet_sort(struct otter_sheet *table, unsigned column);
void otter_sheet_finish(struct otter_sheet *table);

// At most `n_rows` rows, and a line that says how many more there are.
void otter_sheet_print(FILE *out, const struct otter_sheet *table, uint32_t n_rows);
void otter_sheet_print_csv(FILE *out, const struct otter_sheet *table);
// An array of objects; NULL when memory is short.
json_t *otter_sheet_json(const struct otter_sheet *table);
