// The report of a merged archive.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Prints the numbers of all ranks, as text or as JSON. *Returns* the number of ranks that cannot be
// analysed, each with an error.
uint32_t otter_rank_reports_print(struct otter_archive *archive, bool is_json);
