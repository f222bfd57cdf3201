// An array of 64-bit numbers, few of which need more than 32 bits: 4 bytes each.
#pragma once

#include <string.h>

#include "base/order.h"
#include "base/vector.h"

struct otter_slim_large {
    uint64_t value;
    uint32_t index;
};

struct otter_slim {
    uint32_t *items; // UINT32_MAX: the number is in `large`
    struct {
        OTTER_VECTOR(struct otter_slim_large);
    } large;                 // in order of indexes; an item that has become small again remains
    bool is_short_of_memory; // a number is missing
};

// All numbers are 0. Returns false if out of memory.
static inline bool otter_slim_init(struct otter_slim *slim, size_t n)
{
    *slim = (struct otter_slim){.items = calloc(n + 1, sizeof *slim->items)};
    return slim->items;
}

static inline void otter_slim_finish(struct otter_slim *slim)
{
    free(slim->items);
    free(slim->large.items);
    *slim = (struct otter_slim){0};
}

// Returns where the number of `index` is, or would be, in `large`.
static inline uint32_t otter_slim_place(const struct otter_slim *slim, uint32_t index)
{
    uint32_t low = 0, high = slim->large.n;
    OTTER_SEARCH(low, high, i, slim->large.items[i].index < index)
    return low;
}

static inline uint64_t otter_slim_get(const struct otter_slim *slim, uint32_t index)
{
    uint32_t place;
    if (slim->items[index] < UINT32_MAX) {
        return slim->items[index];
    }
    place = otter_slim_place(slim, index);
    return place < slim->large.n ? slim->large.items[place].value : 0;
}

// A new large number moves all later ones, so these should be few.
static inline void otter_slim_set(struct otter_slim *slim, uint32_t index, uint64_t value)
{
    slim->items[index] = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    if (value < UINT32_MAX) {
        return;
    }
    uint32_t place = otter_slim_place(slim, index);
    if (place == slim->large.n || slim->large.items[place].index != index) {
        if (!OTTER_VECTOR_RESERVE(&slim->large)) {
            slim->is_short_of_memory = true;
            return;
        }
        memmove(&slim->large.items[place + 1], &slim->large.items[place],
                (slim->large.n++ - place) * sizeof *slim->large.items);
    }
    slim->large.items[place] = (struct otter_slim_large){value, index};
}
