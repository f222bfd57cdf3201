// One table with the rows of all ranks of a job.
#pragma once

#include "report/form/sheet.h"

// Adds the rows of a rank after all other rows of `all`, which is zero at first. `all` has a column
// for the rank, and the columns that the tables of all ranks have.
void otter_rank_sheet_add(struct otter_sheet *all, uint32_t rank, const struct otter_sheet *own);

// Sorts all rows by the first column of seconds or bytes, the largest first.
void otter_rank_sheet_sort(struct otter_sheet *all);
