// Each rank of jobs, in addition to the comparison of the sums.
#pragma once

#include <stdio.h>

#include "report/diff/diff.h"
#include "report/form/json.h"

// Prints a line for each rank that both sides have, at most `n_rows`, with the largest change of
// work first.
void otter_diff_print_ranks(FILE *out, const struct otter_diff *diff, uint32_t n_rows);

// Returns the rank in the first of these lines; OTTER_NONE: no rank is on both sides.
uint32_t otter_diff_first_rank(const struct otter_diff_job *job);

// Returns an object for each rank, in the same order.
json_t *otter_diff_ranks_json(const struct otter_diff_job *job);
