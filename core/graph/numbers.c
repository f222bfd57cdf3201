// Allocates and sorts arrays of numbers.
#include "graph/numbers.h"

#include <stdlib.h>
#include <string.h>

uint32_t *otter_numbers_create(size_t n)
{
    size_t size = (n + 1) * sizeof(uint32_t);
    uint32_t *numbers = malloc(size);
    return numbers ? memset(numbers, 0xff, size) : NULL;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void otter_numbers_sort(uint64_t *numbers, size_t n)
{
    if (n > 1) {
        qsort(numbers, n, sizeof *numbers, compare);
    }
}
