// Quantiles of sorted numbers.
#pragma once

#include <stdint.h>

// Returns the smallest of the numbers that at least `percent` of them do not exceed, by nearest
// rank; 0 if there are none. `sorted` is in ascending order.
static inline uint64_t otter_quantile(const uint64_t *sorted, uint64_t n, unsigned percent)
{
    uint64_t rank = (n * percent + 99) / 100;
    return n ? sorted[rank > 0 ? rank - 1 : 0] : 0;
}
