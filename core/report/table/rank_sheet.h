// One table with the rows of all ranks of a job.
#pragma once

#include "report/form/sheet.h"

// All zero: no rows. The sheet refers to `columns`, so the struct must not move.
struct otter_rank_sheet {
    struct otter_sheet sheet;
    // the rank, then the columns of the ranks' tables
    struct otter_column columns[OTTER_SHEET_COLUMNS];
};

// Adds the rows of a rank after all other rows. If memory runs out, the sheet says so.
void otter_rank_sheet_add(struct otter_rank_sheet *all, uint32_t rank,
                          const struct otter_sheet *own);

// Sorts all rows by the first column of seconds or bytes, the largest first.
void otter_rank_sheet_sort(struct otter_rank_sheet *all);
