// A table of numbers and texts, for a terminal, as CSV and as JSON.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/vector.h"
#include "report/form/json.h"

enum otter_column_kind {
    OTTER_COLUMN_COUNT = 0,
    OTTER_COLUMN_SECONDS,
    OTTER_COLUMN_PERCENT,
    OTTER_COLUMN_RATIO,
    OTTER_COLUMN_BYTES,
    OTTER_COLUMN_TEXT, // the value comes from otter_sheet_text
};

// Columns are in the order of importance: a narrow terminal shows only the first ones.
struct otter_column {
    const char *name; // "median_s": of CSV and JSON
    const char *head; // "median": of the terminal
    enum otter_column_kind kind;
};

// Combines the numbers of two rows:
// - Counts, times and bytes are added.
// - The smaller number is used in columns named "min...".
// - The larger number is used for shares, ratios, "median...", "mean...", "p99..." and "max...".
// - An unknown number is ignored; a text has no number.
double otter_column_combine(const struct otter_column *column, double a, double b);

enum { OTTER_SHEET_COLUMNS = 40 };

struct otter_row {
    char *text;     // owned by the table
    double *values; // n_columns * (n_more + 1)
    uint32_t depth; // in a tree: the terminal indents the text
};

struct otter_rows {
    OTTER_VECTOR(struct otter_row);
};

struct otter_sheet {
    const char *name;      // "tasks"
    const char *text_head; // "task"
    const struct otter_column *columns;
    unsigned n_columns;               // at most OTTER_SHEET_COLUMNS
    unsigned n_more;                  // additional values of each column in a row
    struct otter_column *own_columns; // `columns`, if the table frees them; otherwise NULL
    struct otter_rows rows, sums;     // sums are shown below the rows, only on a terminal
    struct {
        OTTER_VECTOR(char *);
    } texts;             // texts of the columns that contain texts
    uint32_t n_left_out; // rows that otter_sheet_keep removed
    const char *note;    // why there are no rows; NULL: no reason
};

// Sets the head of the rows' texts, and the columns of a table to an array.
#define OTTER_SET_COLUMNS(table, head, array)                                                      \
    ((table)->text_head = (head), (table)->columns = (array),                                      \
     (table)->n_columns = sizeof(array) / sizeof *(array))

// Copies `text`; `values` has n_columns numbers: seconds, percent (0 to 100), counts, bytes.
// NAN is an unknown number.
void otter_sheet_add(struct otter_sheet *table, const char *text, const double *values);
// Adds a row at a level of a tree, or adds a sum.
void otter_sheet_add_inside(struct otter_sheet *table, uint32_t depth, const char *text,
                            const double *values);
void otter_sheet_add_sum(struct otter_sheet *table, const char *text, const double *values);
// Copies `text`. Returns the value that stands for it in a column of texts; several rows may have
// the same value.
double otter_sheet_text(struct otter_sheet *table, const char *text);
// Returns the text of a value that otter_sheet_text has returned, "" for NAN.
const char *otter_sheet_text_of(const struct otter_sheet *table, double value);
// Sorts by column, the largest value first, and by text where values are equal.
void otter_sheet_sort(struct otter_sheet *table, unsigned column);
// Sorts by the column with this name or head: numbers from the largest to the smallest, texts
// alphabetically. Returns false if the table has no such column.
bool otter_sheet_sort_by(struct otter_sheet *table, const char *name);
// Returns whether a text contains `pattern`, or equals a pattern with * and ?.
bool otter_sheet_matches(const char *text, const char *pattern);
// Removes the rows in which no text matches `pattern`.
void otter_sheet_filter(struct otter_sheet *table, const char *pattern);
// Keeps only the `n` rows with the largest numbers in a column, in their order.
void otter_sheet_keep(struct otter_sheet *table, unsigned column, uint32_t n);
// Copies the name and the columns of `from` to an empty table. The caller sets the `n_first`
// columns in front of them.
void otter_sheet_copy_columns(struct otter_sheet *table, const struct otter_sheet *from,
                              unsigned n_first);
// If the table owns its columns: removes those that `other` lacks, except the `n_first` first ones,
// and puts them into its order. Runs may have different counters.
void otter_sheet_keep_columns(struct otter_sheet *table, const struct otter_sheet *other,
                              unsigned n_first);
void otter_sheet_finish(struct otter_sheet *table);

enum { OTTER_CELL_SIZE = 64 };

// Writes a number of a column as a text, "-" for NAN. Returns `text`.
const char *otter_sheet_number(enum otter_column_kind kind, double value,
                               char text[OTTER_CELL_SIZE]);

// Returns the index of the column with this name in CSV and JSON; n_columns: none.
unsigned otter_sheet_find_column(const struct otter_sheet *table, const char *name);

// Prints at most `n_rows` rows, and the columns that fit into `width` columns of the terminal; 0
// means all. Additional lines say what was left out.
void otter_sheet_print(FILE *out, const struct otter_sheet *table, uint32_t n_rows, unsigned width);
void otter_sheet_print_csv(FILE *out, const struct otter_sheet *table);
// Returns the rows as an array of objects.
json_t *otter_sheet_json(const struct otter_sheet *table);
