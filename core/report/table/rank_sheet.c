// Joins the tables of ranks.
#include "report/table/rank_sheet.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void begin(struct otter_rank_sheet *all, const struct otter_sheet *own)
{
    unsigned n = own->n_columns < OTTER_SHEET_COLUMNS ? own->n_columns : OTTER_SHEET_COLUMNS - 1;
    all->columns[0] = (struct otter_column){"rank", "rank", OTTER_COLUMN_TEXT};
    memcpy(all->columns + 1, own->columns, n * sizeof *own->columns);
    all->sheet.name = own->name;
    all->sheet.text_head = own->text_head;
    all->sheet.columns = all->columns;
    all->sheet.n_columns = n + 1;
}

// The values of a row: the rank, then the texts of the rank's table.
static void fill_values(struct otter_rank_sheet *all, const struct otter_sheet *own,
                        const struct otter_row *row, double *values)
{
    for (unsigned i = 1; i < all->sheet.n_columns; i++) {
        double value = row->values[i - 1];
        bool is_text = all->columns[i].kind == OTTER_COLUMN_TEXT && !isnan(value);
        values[i] =
            is_text ? otter_sheet_text(&all->sheet, otter_sheet_text_of(own, value)) : value;
    }
}

void otter_rank_sheet_add(struct otter_rank_sheet *all, uint32_t rank,
                          const struct otter_sheet *own)
{
    char text[16];
    double values[OTTER_SHEET_COLUMNS];
    if (!all->sheet.columns) {
        begin(all, own);
    }
    snprintf(text, sizeof text, "rank %" PRIu32, rank);
    values[0] = otter_sheet_text(&all->sheet, text);
    for (uint32_t i = 0; i < own->rows.n; i++) {
        const struct otter_row *row = &own->rows.items[i];
        fill_values(all, own, row, values);
        otter_sheet_add_inside(&all->sheet, row->depth, row->text, values);
    }
    for (uint32_t i = 0; i < own->sums.n; i++) {
        fill_values(all, own, &own->sums.items[i], values);
        otter_sheet_add_sum(&all->sheet, own->sums.items[i].text, values);
    }
}

void otter_rank_sheet_sort(struct otter_rank_sheet *all)
{
    unsigned column = 1;
    while (column < all->sheet.n_columns && all->columns[column].kind != OTTER_COLUMN_SECONDS &&
           all->columns[column].kind != OTTER_COLUMN_BYTES) {
        column++;
    }
    otter_sheet_sort(&all->sheet, column < all->sheet.n_columns ? column : 1);
}
