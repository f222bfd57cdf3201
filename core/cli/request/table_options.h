// The tables of `otter report` on the command line.
#pragma once

#include <getopt.h>

#include "report/table/analysis_tables.h"

enum { OTTER_FIRST_TABLE = 256, OTTER_MAX_TABLES = 32 }; // values of the tables' long options

// Fills `options` with an option for each table; the value of the first is OTTER_FIRST_TABLE. A
// table with an argument ("critical-path=chain") directly follows the table without one. Returns
// the number of options.
unsigned otter_table_options(struct option options[OTTER_MAX_TABLES]);

// Returns the table of an option and its argument, or NULL. `argument` may be NULL.
const struct otter_report_table *otter_table_of(const char *option, const char *argument);

// Reads the value of --top. Returns false after printing an error.
bool otter_table_read_rows(const char *command, const char *text, uint32_t *n_rows);

// Prints an error that a table's option does not accept `argument`, and lists the accepted ones.
void otter_table_complain(const char *option, const char *argument);
