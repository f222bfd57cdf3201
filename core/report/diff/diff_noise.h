// Distinguishes changes from noise: compares the same number in several archives of each side.
#pragma once

#include <stdint.h>

enum { OTTER_DIFF_MOST_RUNS = 32 }; // archives of a side

enum otter_verdict {
    OTTER_VERDICT_UNKNOWN = 0, // a side has only one archive
    OTTER_VERDICT_NOISE,
    OTTER_VERDICT_CHANGE,
};

struct otter_spread {
    double min, median, max;
};

// Returns the spread of the values that are not NAN; NAN if there are none. Sorts the array.
struct otter_spread otter_spread_of(double *values, uint32_t n);

// A number on both sides.
struct otter_diff_value {
    struct otter_spread before, after;
    enum otter_verdict verdict;
};

// Compares values of both sides; both counts are 1 to OTTER_DIFF_MOST_RUNS. Sorts both arrays.
// NAN is an unknown value and is ignored; if all values are NAN, so is the spread. A difference is
// a change
//   with 4 values or more on each side: if the exact rank test gives less than 5 %
//   with fewer: if the intervals from the smallest to the largest value do not overlap
struct otter_diff_value otter_diff_value_of(double *before, uint32_t n_before, double *after,
                                            uint32_t n_after);

// Returns the probability that two equal distributions produce ranks at least as uneven as these.
// It is the two-sided exact test of Wilcoxon, Mann and Whitney, with mean ranks for ties.
// Both counts are 1 to OTTER_DIFF_MOST_RUNS.
double otter_rank_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b);

// Returns "noise", "change", or "unknown".
const char *otter_verdict_name(enum otter_verdict verdict);
