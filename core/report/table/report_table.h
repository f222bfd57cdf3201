// Prints the table that a command line asks for.
#pragma once

#include <stdio.h>

#include "report/table/analysis_tables.h"

enum otter_table_form { OTTER_TABLE_TEXT = 0, OTTER_TABLE_CSV, OTTER_TABLE_JSON };

struct otter_table_request {
    const struct otter_report_table *table; // NULL: none
    enum otter_table_form form;
    uint32_t n_rows;
    bool is_full;       // all rows and columns
    const char *sort;   // name of a column; NULL: the table's order
    const char *filter; // NULL: all rows
    const char *label;  // of tables of samples; NULL: all labels
};

// Returns OTTER_BAD_VALUE after a message if the table has no such column.
enum otter_status otter_table_print_sheet(FILE *out, struct otter_sheet *sheet,
                                          const struct otter_table_request *request);
// Prints a table of the report in the same way. Returns OTTER_NOT_FOUND after a message if the
// table has no such label.
enum otter_status otter_table_print(FILE *out, const struct otter_report *report,
                                    const struct otter_table_request *request);
