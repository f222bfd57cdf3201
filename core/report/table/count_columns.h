// Columns of counters in a table by label: only those that were recorded.
#pragma once

#include "analysis/sample/counts.h"
#include "report/form/analysis.h"
#include "report/form/sheet.h"

enum otter_count_kind {
    OTTER_COUNT_ALL = 0, // all events of the label
    OTTER_COUNT_EACH,    // events per execution
    OTTER_COUNT_PER_CYCLE,
    OTTER_COUNT_PER_1000, // instructions
};

struct otter_count_column {
    unsigned counter, base; // `base` counts cycles or instructions
    enum otter_count_kind kind;
};

struct otter_count_columns {
    const struct otter_counts *counts;
    unsigned at, n; // index of the first column, and their number
    struct otter_count_column items[OTTER_MAX_COUNTERS];
};

// Adds columns in front of column `at` of a table whose other columns are set. `kind`: of events
// that are not divided by another event: OTTER_COUNT_ALL or OTTER_COUNT_EACH.
struct otter_count_columns otter_count_columns_add(const struct otter_report *report,
                                                   struct otter_sheet *table, unsigned at,
                                                   enum otter_count_kind kind);

// Adds a row, whose other values are in `values`, as otter_sheet_add does. `n`: how often the label
// was executed.
void otter_count_columns_row(const struct otter_count_columns *columns, struct otter_sheet *table,
                             const char *text, const double *values, uint32_t label, uint64_t n);
