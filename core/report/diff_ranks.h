// The comparisons of all ranks of two merged archives, as one.
#pragma once

#include <jansson.h>

#include "report/diff.h"

struct otter_diff_rank {
    uint32_t rank;
    double before[OTTER_N_DIFF_NUMBERS], after[OTTER_N_DIFF_NUMBERS];
    enum otter_diff_graphs graphs;
};

// Seconds in which threads execute a label.
struct otter_diff_rank_label {
    char *text;
    double before, after;           // sums of all ranks
    double most_before, most_after; // the largest of a rank
    double change;                  // of the rank whose time changed most
    uint32_t rank;                  // this rank
};

struct otter_diff_ranks {
    struct {
        OTTER_VECTOR(struct otter_diff_rank);
    } ranks;
    struct {
        OTTER_VECTOR(struct otter_diff_rank_label);
    } labels;
};

// Adds the comparison of a rank. Returns false when memory is short.
bool otter_diff_ranks_add(struct otter_diff_ranks *ranks, uint32_t rank,
                          const struct otter_diff *diff);
// Sorts the ranks by the change of their work and the labels by their largest change, in both cases
// the largest first.
void otter_diff_ranks_sort(struct otter_diff_ranks *ranks);

// After otter_diff_ranks_sort. `n_rows`: labels at most. There is one rank at least.
void otter_diff_ranks_print(FILE *out, const struct otter_diff_ranks *ranks, uint32_t n_rows);
// Returns NULL when memory is short.
json_t *otter_diff_ranks_json(const struct otter_diff_ranks *ranks);

void otter_diff_ranks_finish(struct otter_diff_ranks *ranks);
