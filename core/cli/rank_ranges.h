// Lists of ranks in few words.
#pragma once

#include <stdio.h>

#include "trace/read/reader.h"

// Whether the rank with this index belongs to the list.
typedef bool otter_is_listed_function(const void *user, size_t rank);

// Prints "0-2, 5": the numbers of the ranks that belong to the list.
void otter_rank_ranges_print(FILE *out, const struct otter_definitions *definitions,
                             otter_is_listed_function *is_listed, const void *user);
