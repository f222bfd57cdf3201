// Ticks times a factor.
#pragma once

#include <stdint.h>

// `factor`: 0 or more. If a damaged clock makes the product too large, returns the largest number.
static inline uint64_t otter_scaled(uint64_t ticks, double factor)
{
    double product = (double)ticks * factor;
    return factor == 1 ? ticks : product < 18446744073709549568.0 ? (uint64_t)product : UINT64_MAX;
}
