// Matches the rows of one table in several archives.
#include "report/diff/diff_cells.h"

#include <string.h>

#include "base/order.h"

static int compare_cells(const void *a, const void *b)
{
    const struct otter_diff_cell *x = a, *y = b;
    return otter_order(strcmp(x->text, y->text), OTTER_BY_2(x, y, occurrence, run));
}

static int compare_rows_of_run(const void *a, const void *b)
{
    const struct otter_diff_cell *x = a, *y = b;
    return otter_order(strcmp(x->text, y->text), OTTER_BY_1(x, y, row));
}

void otter_diff_cells_add(struct otter_diff_cells *cells, const struct otter_sheet *sheet,
                          uint32_t run)
{
    uint32_t first = cells->n;
    for (uint32_t i = 0; i < sheet->rows.n; i++) {
        struct otter_row *row = &sheet->rows.items[i];
        OTTER_VECTOR_APPEND(cells,
                            (struct otter_diff_cell){.text = row->text, .run = run, .row = row});
    }
    if (cells->n > first) {
        qsort(cells->items + first, cells->n - first, sizeof *cells->items, compare_rows_of_run);
    }
    for (uint32_t i = first + 1; i < cells->n; i++) {
        struct otter_diff_cell *cell = &cells->items[i];
        bool is_again = strcmp(cell[-1].text, cell->text) == 0;
        cell->occurrence = is_again ? cell[-1].occurrence + 1 : 0;
    }
}

void otter_diff_cells_sort(struct otter_diff_cells *cells)
{
    OTTER_SORT(cells, compare_cells);
}

uint32_t otter_diff_cells_end(const struct otter_diff_cells *cells, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < cells->n && cells->items[end].occurrence == cells->items[first].occurrence &&
           strcmp(cells->items[end].text, cells->items[first].text) == 0) {
        end++;
    }
    return end;
}

static void read_values(double *values, struct otter_row *const *rows, uint32_t n, unsigned column)
{
    for (uint32_t i = 0; i < n; i++) {
        values[i] = rows[i] ? rows[i]->values[column] : 0;
    }
}

struct otter_diff_value otter_diff_value_of_rows(struct otter_row *const *before, uint32_t n_before,
                                                 struct otter_row *const *after, uint32_t n_after,
                                                 unsigned column)
{
    double values[2][OTTER_DIFF_MOST_RUNS];
    read_values(values[0], before, n_before, column);
    read_values(values[1], after, n_after, column);
    return otter_diff_value_of(values[0], n_before, values[1], n_after);
}
