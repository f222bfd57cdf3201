// The summary of a merged archive.
#pragma once

#include "trace/read/reader.h"

// Prints a line for each rank, and the totals. *Returns* the number of ranks that cannot be read
// completely.
uint32_t otter_rank_summaries_print(struct otter_archive *archive);
// Prints the summary as JSON, with an array of ranks.
uint32_t otter_rank_summaries_print_json(struct otter_archive *archive);
