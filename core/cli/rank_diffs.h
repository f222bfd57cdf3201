// The comparison of two merged archives.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Whether the archive is merged, and `path` names no rank of the archive.
bool otter_path_has_ranks(const char *path);

// Compares each rank with the same rank of the other archive, and prints the sums, as text or as
// JSON. `n_rows`: labels at most.
// *Returns* false after an error, also if a rank cannot be compared.
bool otter_rank_diffs_print(const char *before, const char *after, bool is_json, uint32_t n_rows);
