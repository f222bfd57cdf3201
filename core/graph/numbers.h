// Arrays of numbers, for example with a value for each node.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Returns an array of n + 1 entries, all OTTER_NONE, which the caller frees; NULL if out of memory.
uint32_t *otter_numbers_create(size_t n);

// Sorts in ascending order. Time: linear in n. Without memory for a second array, the library sorts
// in time n log n, and a command ends.
void otter_numbers_sort(uint64_t *numbers, size_t n);

// Returns the number that would be at index `rank` of the sorted array; rank < n. Time: linear in
// n.
uint64_t otter_numbers_select(const uint64_t *numbers, size_t n, size_t rank);

struct otter_keyed {
    uint64_t key, value;
};

// Sorts items by their keys in ascending order. Items with equal keys retain their order. Time:
// linear in n.
// Returns false if out of memory; then the items are as before.
bool otter_keyed_sort(struct otter_keyed *items, size_t n);

// Sorts indexes by their keys. Indexes with equal keys retain their order. The key of index i is at
// `keys` + i * `stride` bytes. Memory: none if the indexes are already sorted, otherwise 2 bytes
// per index and at most 8 MiB. Returns false if out of memory; then the indexes are in any order.
bool otter_indexes_sort(uint32_t *indexes, size_t n, const uint64_t *keys, size_t stride);
