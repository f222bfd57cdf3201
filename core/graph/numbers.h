// Arrays of numbers, such as a value for each node.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns an array of n + 1 entries, all OTTER_NONE, which the caller frees; NULL when memory is
// short.
uint32_t *otter_numbers_create(size_t n);

// Sorts in ascending order. Time: linear in n, if there is memory for a second array.
void otter_numbers_sort(uint64_t *numbers, size_t n);

struct otter_keyed {
    uint64_t key, value;
};

// Sorts by the keys in ascending order, and leaves equal keys in their order. Time: likewise.
// Returns false when memory is short; then the items are as before.
bool otter_keyed_sort(struct otter_keyed *items, size_t n);
