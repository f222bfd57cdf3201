// Joins the tables of ranks.
#include "report/table/rank_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin(struct otter_sheet *all, const struct otter_sheet *own)
{
    otter_sheet_copy_columns(all, own, 1);
    all->own_columns[0] = (struct otter_column){"rank", "rank", OTTER_COLUMN_TEXT};
}

// The values of a row: the rank, then the texts of the rank's table. `from`: of each column, its
// place in the rank's table.
static void fill_values(struct otter_sheet *all, const struct otter_sheet *own,
                        const unsigned *from, const struct otter_row *row, double *values)
{
    for (unsigned i = 1; i < all->n_columns; i++) {
        double value = row->values[from[i]];
        bool is_text = all->columns[i].kind == OTTER_COLUMN_TEXT && !isnan(value);
        values[i] = is_text ? otter_sheet_text(all, otter_sheet_text_of(own, value)) : value;
    }
}

void otter_rank_sheet_add(struct otter_sheet *all, uint32_t rank, const struct otter_sheet *own)
{
    char text[16];
    double values[OTTER_SHEET_COLUMNS];
    unsigned from[OTTER_SHEET_COLUMNS];
    if (!all->columns) {
        begin(all, own);
    }
    otter_sheet_keep_columns(all, own, 1);
    for (unsigned i = 1; i < all->n_columns; i++) {
        from[i] = otter_sheet_find_column(own, all->columns[i].name);
    }
    snprintf(text, sizeof text, "rank %" PRIu32, rank);
    values[0] = otter_sheet_text(all, text);
    for (uint32_t i = 0; i < own->rows.n; i++) {
        const struct otter_row *row = &own->rows.items[i];
        fill_values(all, own, from, row, values);
        otter_sheet_add_inside(all, row->depth, row->text, values);
    }
    for (uint32_t i = 0; i < own->sums.n; i++) {
        fill_values(all, own, from, &own->sums.items[i], values);
        otter_sheet_add_sum(all, own->sums.items[i].text, values);
    }
}

void otter_rank_sheet_sort(struct otter_sheet *all)
{
    unsigned column = 1;
    while (column < all->n_columns && all->columns[column].kind != OTTER_COLUMN_SECONDS &&
           all->columns[column].kind != OTTER_COLUMN_BYTES) {
        column++;
    }
    otter_sheet_sort(all, column < all->n_columns ? column : 1);
}
