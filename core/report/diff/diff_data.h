// A comparison as CSV and as JSON.
#pragma once

#include "report/diff/diff.h"
#include "report/form/json.h"

// Prints all columns of a table; if `table` is NULL, the numbers of the summary.
void otter_diff_print_csv(FILE *out, const struct otter_diff *diff,
                          const struct otter_diff_table *table,
                          const struct otter_diff_style *style);

// Returns the rows of a table as an array of objects, which the caller owns.
json_t *otter_diff_table_json(const struct otter_diff *diff, const struct otter_diff_table *table,
                              const struct otter_diff_style *style);
// Returns all numbers as an object, which the caller owns.
json_t *otter_diff_json(const struct otter_diff *diff);
// Returns median, min and max; null if unknown. The caller owns the object.
json_t *otter_spread_json(const struct otter_spread *spread);
