// A growing array.
//
//     struct { OTTER_VECTOR(uint32_t); } list = {0};
//
// `n`: the number of items; `room`: the number of items that fit.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define OTTER_VECTOR(type)                                                                         \
    type *items;                                                                                   \
    uint32_t n, room

// Makes space for item number `n`. Returns false if out of memory; the array is then unchanged.
// At the limit of `n`, asks for more memory than there is: that, too, ends a command.
static inline bool otter_vector_reserve(void **items, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room) {
        return true;
    }
    const uint32_t many = 1 << 20; // from here on, room that remains empty would count
    uint64_t longer = *room < 16     ? 16
                      : *room < many ? *room * UINT64_C(2)
                                     : *room * UINT64_C(5) / 4;
    uint32_t larger = longer < UINT32_MAX - 2 ? (uint32_t)longer : UINT32_MAX - 2;
    void *moved = realloc(*items, n < larger ? larger * size : SIZE_MAX - size);
    if (!moved) {
        return false;
    }
    *items = moved;
    *room = larger;
    return true;
}

// Frees the space that no item needs.
static inline void otter_vector_shrink(void **items, uint32_t n, uint32_t *room, size_t size)
{
    void *moved = n < *room ? realloc(*items, (n + (size_t)1) * size) : NULL;
    if (moved) {
        *items = moved;
        *room = n;
    }
}

#define OTTER_VECTOR_SHRINK(vector)                                                                \
    otter_vector_shrink((void **)&(vector)->items, (vector)->n, &(vector)->room,                   \
                        sizeof *(vector)->items)

// Makes space for one more item. Returns false if out of memory.
#define OTTER_VECTOR_RESERVE(vector)                                                               \
    ((vector)->n < (vector)->room ||                                                               \
     otter_vector_reserve((void **)&(vector)->items, (vector)->n, &(vector)->room,                 \
                          sizeof *(vector)->items))

// Adds an item, in code whose allocations cannot fail (cli/request/memory.h).
#define OTTER_VECTOR_APPEND(vector, ...) ((void)OTTER_VECTOR_ADD(vector, __VA_ARGS__))

// Adds an item. Returns false if out of memory; the array is then unchanged.
#define OTTER_VECTOR_ADD(vector, ...)                                                              \
    (OTTER_VECTOR_RESERVE(vector) && ((vector)->items[(vector)->n++] = (__VA_ARGS__), true))
