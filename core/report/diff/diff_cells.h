// The rows of one table in several archives, matched by their text.
#pragma once

#include "report/diff/diff_noise.h"
#include "report/form/sheet.h"

// A row of one archive. Rows with equal text in one table are matched in order.
struct otter_diff_cell {
    const char *text;
    uint32_t occurrence;
    uint32_t run;
    struct otter_row *row;
};

struct otter_diff_cells {
    OTTER_VECTOR(struct otter_diff_cell);
};

// Adds the rows of an archive, whose number is `run`.
void otter_diff_cells_add(struct otter_diff_cells *cells, const struct otter_sheet *sheet,
                          uint32_t run);
// Sorts by text and occurrence, so that matched rows are adjacent, in the order of their runs.
void otter_diff_cells_sort(struct otter_diff_cells *cells);
// Returns the end of the matched rows that begin with cell `first`.
uint32_t otter_diff_cells_end(const struct otter_diff_cells *cells, uint32_t first);

// Compares one number of matched rows; if an archive lacks the row, its pointer is NULL and its
// value 0.
struct otter_diff_value otter_diff_value_of_rows(struct otter_row *const *before, uint32_t n_before,
                                                 struct otter_row *const *after, uint32_t n_after,
                                                 unsigned column);
