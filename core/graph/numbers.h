// Arrays of numbers, such as a value for each node.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns an array of n + 1 entries, all OTTER_NONE, which the caller frees; NULL when memory is
// short.
uint32_t *otter_numbers_create(size_t n);

// Sorts in ascending order.
void otter_numbers_sort(uint64_t *numbers, size_t n);
