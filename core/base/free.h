// Frees several allocations.
#pragma once

#include <stddef.h>
#include <stdlib.h>

static inline void otter_free_all(void *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(parts[i]);
    }
}

// Frees each argument, which may be NULL.
#define OTTER_FREE(...)                                                                            \
    otter_free_all((void *const[]){__VA_ARGS__},                                                   \
                   sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
