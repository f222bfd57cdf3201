// One table of the report with the rows of all ranks of a merged archive.
#pragma once

#include "report/table/report_table.h"

// Prints the rows of all ranks, each with its rank. Steps and trees are sorted by rank, other rows
// by time. *Returns* an exit status. Prints a message for each error; a rank with an error is left
// out.
int otter_rank_tables_print(struct otter_archive *archive,
                            const struct otter_table_request *request);
