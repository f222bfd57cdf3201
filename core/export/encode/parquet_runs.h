// Parquet's hybrid encoding of small numbers: runs of one value, and packed bits.
#pragma once

#include "export/encode/bytes.h"

// Returns the number of bits that the largest of the numbers 0 to n - 1 needs; at least 1.
unsigned otter_parquet_width(uint32_t n);

// Adds values below 2^width, for a width of at most 32.
void otter_parquet_add_runs(struct otter_bytes *to, const uint32_t *values, uint32_t n,
                            unsigned width);
