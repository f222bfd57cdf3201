// Orders, sorts and searches arrays.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Returns `first`, or `second` if `first` is 0.
static inline int otter_order(int first, int second)
{
    return first ? first : second;
}

// Compares two numbers for qsort(): below 0, 0 or above 0.
#define OTTER_COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

// Compares two items by one to four of their members, which are numbers.
#define OTTER_BY_1(x, y, a) OTTER_COMPARE((x)->a, (y)->a)
#define OTTER_BY_2(x, y, a, b) otter_order(OTTER_BY_1(x, y, a), OTTER_BY_1(x, y, b))
#define OTTER_BY_3(x, y, a, b, c) otter_order(OTTER_BY_2(x, y, a, b), OTTER_BY_1(x, y, c))
#define OTTER_BY_4(x, y, a, b, c, d) otter_order(OTTER_BY_3(x, y, a, b, c), OTTER_BY_1(x, y, d))

// Binary search from `low` to before `high`, both variables: sets `low` to the first index `i` for
// which the expression `is_before` is false, or to `high` if there is none.
#define OTTER_SEARCH(low, high, i, is_before)                                                      \
    while ((low) < (high)) {                                                                       \
        size_t i = (low) + ((high) - (low)) / 2;                                                   \
        if (is_before) {                                                                           \
            (low) = (uint32_t)i + 1;                                                               \
        } else {                                                                                   \
            (high) = (uint32_t)i;                                                                  \
        }                                                                                          \
    }

// Returns the number of items that are less than `key`, which has an item's type. `items` may be
// NULL if `n` is 0.
static inline uint32_t otter_sorted_before(const void *items, uint32_t n, size_t size,
                                           const void *key,
                                           int (*compare)(const void *, const void *))
{
    uint32_t low = 0, high = n;
    OTTER_SEARCH(low, high, i, compare((const char *)items + i * size, key) < 0)
    return low;
}

// otter_sorted_before for an OTTER_VECTOR.
#define OTTER_SORTED_BEFORE(vector, key, compare)                                                  \
    otter_sorted_before((vector)->items, (vector)->n, sizeof *(vector)->items, key, compare)

// Sorts an OTTER_VECTOR. Does nothing if it is empty, since `items` may be NULL.
#define OTTER_SORT(vector, compare)                                                                \
    ((vector)->n > 0 ? qsort((vector)->items, (vector)->n, sizeof *(vector)->items, compare)       \
                     : (void)0)
