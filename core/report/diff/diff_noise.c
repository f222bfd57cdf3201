// Distinguishes changes from noise.
#include "report/diff/diff_noise.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_RANKS = 2 * OTTER_DIFF_MOST_RUNS,
    MAX_SUM = MAX_RANKS * (MAX_RANKS + 1), // of doubled ranks
    MIN_RUNS_OF_TEST = 4,
};

#define SIGNIFICANT 0.05

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Moves the known values to the start of the array. Returns their number.
static uint32_t drop_unknown(double *values, uint32_t n)
{
    uint32_t n_known = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            values[n_known++] = values[i];
        }
    }
    return n_known;
}

struct otter_spread otter_spread_of(double *values, uint32_t n)
{
    n = drop_unknown(values, n);
    if (n == 0) {
        return (struct otter_spread){NAN, NAN, NAN};
    }
    qsort(values, n, sizeof *values, compare);
    double median = n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
    return (struct otter_spread){values[0], median, values[n - 1]};
}

// ---- the rank test

// Ranks are doubled so that the mean rank of ties is also an integer.
struct ranks {
    uint32_t n;
    uint32_t doubled[MAX_RANKS]; // ascending
};

static uint32_t doubled_rank(const double *all, uint32_t n, double value)
{
    uint32_t below = 0, equal = 0;
    for (uint32_t i = 0; i < n; i++) {
        below += all[i] < value;
        equal += all[i] == value;
    }
    return 2 * below + equal + 1;
}

// For each sum of ranks, counts the ways to choose ranks with this sum. `ways` has MAX_SUM + 1
// places for each number of chosen ranks, from 0 to `n_chosen`.
static void count_ways(const struct ranks *ranks, uint32_t n_chosen, double *ways)
{
    memset(ways, 0, (n_chosen + 1) * (MAX_SUM + 1) * sizeof *ways);
    ways[0] = 1;
    uint32_t total = 0;
    for (uint32_t i = 0; i < ranks->n; i++) {
        total += ranks->doubled[i];
        for (uint32_t k = n_chosen; k > 0; k--) {
            double *with = ways + (size_t)k * (MAX_SUM + 1), *without = with - (MAX_SUM + 1);
            for (uint32_t sum = total; sum >= ranks->doubled[i]; sum--) {
                with[sum] += without[sum - ranks->doubled[i]];
            }
        }
    }
}

// The result of the last call, which can often be reused: values without ties always have the same
// ranks.
static struct {
    struct ranks ranks;
    uint32_t n_chosen;
    double ways[(OTTER_DIFF_MOST_RUNS + 1) * (MAX_SUM + 1)];
} last; // used only by the thread that compares

static const double *ways_of(const struct ranks *ranks, uint32_t n_chosen)
{
    bool is_last =
        last.n_chosen == n_chosen && last.ranks.n == ranks->n &&
        memcmp(last.ranks.doubled, ranks->doubled, ranks->n * sizeof *ranks->doubled) == 0;
    if (!is_last) {
        last.ranks = *ranks;
        last.n_chosen = n_chosen;
        count_ways(ranks, n_chosen, last.ways);
    }
    return last.ways + (size_t)n_chosen * (MAX_SUM + 1);
}

double otter_rank_test(const double *a, uint32_t n_a, const double *b, uint32_t n_b)
{
    double all[MAX_RANKS];
    struct ranks ranks = {.n = n_a + n_b};
    memcpy(all, a, n_a * sizeof *a);
    memcpy(all + n_a, b, n_b * sizeof *b);
    qsort(all, ranks.n, sizeof *all, compare);
    for (uint32_t i = 0; i < ranks.n; i++) {
        ranks.doubled[i] = doubled_rank(all, ranks.n, all[i]);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < n_a; i++) {
        found += doubled_rank(all, ranks.n, a[i]);
    }
    const double *ways = ways_of(&ranks, n_a);
    double middle = (double)n_a * (ranks.n + 1), sum = 0, uneven = 0;
    for (uint32_t i = 0; i <= MAX_SUM; i++) {
        sum += ways[i];
        uneven += fabs(i - middle) >= fabs(found - middle) ? ways[i] : 0;
    }
    return uneven / sum;
}

// ---- verdicts

static bool is_overlapping(const struct otter_spread *a, const struct otter_spread *b)
{
    return a->min <= b->max && b->min <= a->max;
}

struct otter_diff_value otter_diff_value_of(double *before, uint32_t n_before, double *after,
                                            uint32_t n_after)
{
    n_before = drop_unknown(before, n_before);
    n_after = drop_unknown(after, n_after);
    struct otter_diff_value value = {otter_spread_of(before, n_before),
                                     otter_spread_of(after, n_after), OTTER_VERDICT_UNKNOWN};
    if (n_before < 2 || n_after < 2) {
        return value;
    }
    bool is_noise = is_overlapping(&value.before, &value.after);
    if (is_noise && n_before >= MIN_RUNS_OF_TEST && n_after >= MIN_RUNS_OF_TEST) {
        is_noise = otter_rank_test(before, n_before, after, n_after) >= SIGNIFICANT;
    }
    value.verdict = is_noise ? OTTER_VERDICT_NOISE : OTTER_VERDICT_CHANGE;
    return value;
}

const char *otter_verdict_name(enum otter_verdict verdict)
{
    switch (verdict) {
    case OTTER_VERDICT_NOISE: return "noise";
    case OTTER_VERDICT_CHANGE: return "change";
    default: return "unknown";
    }
}
