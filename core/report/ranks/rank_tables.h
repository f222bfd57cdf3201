// A table of the report, of all ranks of a merged archive.
#pragma once

#include "report/table/report_table.h"

// Prints the rows of all ranks, each with its rank.
// - Steps and trees are sorted by rank, other rows by time.
// *Returns* an exit status. *Errors*: each with a message; a rank with an error is left out.
int otter_rank_tables_print(struct otter_archive *archive,
                            const struct otter_table_request *request);
