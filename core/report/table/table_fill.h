// The functions that fill the tables of a report, and what they share.
#pragma once

#include "report/form/analysis.h"
#include "report/form/sheet.h"
#include "report/table/count_columns.h"

// Fills the columns and rows of a table, which is all zero.
typedef void otter_table_fill(const struct otter_report *report, struct otter_sheet *table);

otter_table_fill otter_fill_tasks, otter_fill_regions, otter_fill_labels, otter_fill_threads,
    otter_fill_waits, otter_fill_loops, otter_fill_locks, otter_fill_devices, otter_fill_chain,
    otter_fill_span_chain, otter_fill_slack, otter_fill_path, otter_fill_kernels,
    otter_fill_kernel_tree, otter_fill_fences, otter_fill_memory, otter_fill_spaces,
    otter_fill_copies, otter_fill_mpi, otter_fill_functions, otter_fill_lines;

// Returns the part in percent; 0 if `whole` is 0.
static inline double otter_percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

// Fills a table with one row for each function, which `otter diff` matches by its name.
void otter_fill_function_sums(const struct otter_report *report, struct otter_sheet *table);
