// Runs a command on all ranks of a merged archive.
#pragma once

#include <stdbool.h>

#include "trace/read/reader.h"

// Returns whether the archive is merged and no rank is selected.
bool otter_has_ranks(const struct otter_archive *archive);

// Selects each rank and calls `function`. *Returns* the number of ranks for which it returned
// false, or that cannot be read; for the latter, prints an error.
typedef bool otter_rank_function(void *user, struct otter_archive *archive,
                                 const struct otter_rank *rank);
uint32_t otter_each_rank(struct otter_archive *archive, otter_rank_function *function, void *user);
