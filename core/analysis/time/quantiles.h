// Quantiles of many numbers, within 1 %, in memory that does not grow with their number.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// All zero: empty. Numbers below 128 are exact; larger ones share 64 places between two powers of
// 2. Memory: 512 bytes for each power of 2 that occurs, none for a single number.
struct otter_quantiles {
    uint64_t n;
    uint64_t first;
    uint64_t **levels; // NULL: one number at most
};

// Returns false if out of memory; the number is then missing.
bool otter_quantiles_add(struct otter_quantiles *quantiles, uint64_t number);
// Returns the number below which `percent` of all numbers are; 0 if there are none.
uint64_t otter_quantiles_at(const struct otter_quantiles *quantiles, unsigned percent);
void otter_quantiles_finish(struct otter_quantiles *quantiles);
