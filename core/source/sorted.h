// Binary search in a sorted array, with the comparison that qsort used.
#pragma once

#include <stdint.h>
#include <stdlib.h>

// Returns the number of items that are less than `key`, which is an item too. `items` may be NULL
// if `n` is 0.
static inline uint32_t otter_sorted_before(const void *items, uint32_t n, size_t size,
                                           const void *key,
                                           int (*compare)(const void *, const void *))
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare((const char *)items + middle * size, key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// The same for an OTTER_VECTOR.
#define OTTER_SORTED_BEFORE(vector, key, compare)                                                  \
    otter_sorted_before((vector)->items, (vector)->n, sizeof *(vector)->items, key, compare)

// Sorts an OTTER_VECTOR, which may be empty with NULL items.
#define OTTER_SORT(vector, compare)                                                                \
    ((vector)->n > 0 ? qsort((vector)->items, (vector)->n, sizeof *(vector)->items, compare)       \
                     : (void)0)
