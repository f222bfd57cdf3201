// Quantiles of sorted numbers.
#pragma once

#include <stdint.h>

// Returns the smallest number that at least `percent` of the numbers do not exceed (nearest rank);
// 0 if there are none. `sorted` is in ascending order.
static inline uint64_t otter_quantile(const uint64_t *sorted, uint64_t n, unsigned percent)
{
    uint64_t rank = (n * percent + 99) / 100;
    return n ? sorted[rank > 0 ? rank - 1 : 0] : 0;
}
