// Lists of ranks, written as ranges.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "trace/read/reader.h"

// Returns whether the rank with this index belongs to the list.
typedef bool otter_is_listed_function(const void *user, size_t rank);

// The size of a list of missing ranks.
enum { OTTER_MISSING_RANKS = 120 };

// Sets `text` to "3, 5-7", the ranks from 0 to n_all - 1 that the merged archive lacks; the last
// ranges of a long list are "...". *Returns* the number of these ranks.
uint64_t otter_missing_ranks(char text[OTTER_MISSING_RANKS],
                             const struct otter_definitions *definitions, uint64_t n_all);

// Prints "0-2, 5": the numbers of the ranks that belong to the list.
void otter_rank_ranges_print(FILE *out, const struct otter_definitions *definitions,
                             otter_is_listed_function *is_listed, const void *user);
