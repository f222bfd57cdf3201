// The sampling error of shares.
#pragma once

#include <math.h>
#include <stdint.h>

// Stores the 95 % confidence interval (Wilson's) for the mean of `n` samples between 0 and 1 in
// *low and *high, which are also between 0 and 1. Without samples, both are 0.
static inline void otter_share_interval(double mean, double variance, double n, double *low,
                                        double *high)
{
    const double z = 1.96;
    double scale = n > 0 ? 1 + z * z / n : 1;
    double middle = n > 0 ? (mean + z * z / (2 * n)) / scale : 0;
    double half = n > 0 ? z * sqrt(variance / n + z * z / (4 * n * n)) / scale : 0;
    *low = middle - half > 0 ? middle - half : 0;
    *high = middle + half;
}

// Stores this interval for the share of `n` samples in all `n_samples` samples.
static inline void otter_sample_share(uint64_t n, uint64_t n_samples, double *low, double *high)
{
    double all = (double)n_samples, share = all > 0 ? (double)n / all : 0;
    otter_share_interval(share, share * (1 - share), all, low, high);
}
