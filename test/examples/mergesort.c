// Merge sort, with a task for each half and a taskwait before the halves are merged.
//
// usage: mergesort [numbers [smallest task]]
// Exits with 0 if the numbers are sorted and complete.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t smallest_task = 20000;

static uint64_t number_at(size_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 31;
    return (x * UINT64_C(0xbf58476d1ce4e5b9)) >> 1;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void merge(const uint64_t *left, size_t n_left, const uint64_t *right, size_t n_right,
                  uint64_t *to)
{
    while (n_left > 0 && n_right > 0) {
        if (*left <= *right) {
            *to++ = *left++;
            n_left--;
        } else {
            *to++ = *right++;
            n_right--;
        }
    }
    memcpy(to, left, n_left * sizeof(*to));
    memcpy(to + n_left, right, n_right * sizeof(*to));
}

static void sort(uint64_t *numbers, uint64_t *room, size_t n)
{
    if (n < 2 || n < smallest_task) {
        qsort(numbers, n, sizeof(*numbers), compare);
        return;
    }
    size_t half = n / 2;
#pragma omp task
    sort(numbers, room, half);
#pragma omp task
    sort(numbers + half, room + half, n - half);
#pragma omp taskwait
    merge(numbers, half, numbers + half, n - half, room);
    memcpy(numbers, room, n * sizeof(*numbers));
}

// Fills an array, sorts it, and compares order and sum.
static int run(uint64_t *numbers, uint64_t *room, size_t n)
{
    uint64_t sum_before = 0;
    uint64_t sum_after = 0;
    size_t n_misplaced = 0;

#pragma omp parallel for schedule(static) reduction(+ : sum_before)
    for (size_t i = 0; i < n; i++) {
        numbers[i] = number_at(i);
        sum_before += numbers[i];
    }
#pragma omp parallel
#pragma omp single
    sort(numbers, room, n);
#pragma omp parallel for schedule(dynamic, 100000) reduction(+ : sum_after, n_misplaced)
    for (size_t i = 0; i < n; i++) {
        sum_after += numbers[i];
        n_misplaced += i > 0 && numbers[i - 1] > numbers[i];
    }

    printf("sorted %zu numbers: %zu misplaced, sum %" PRIu64 "\n", n, n_misplaced, sum_after);
    return n_misplaced == 0 && sum_before == sum_after ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000000;
    if (argc > 2) {
        smallest_task = strtoull(argv[2], NULL, 10);
    }
    uint64_t *numbers = malloc(n * sizeof(*numbers));
    uint64_t *room = malloc(n * sizeof(*room));
    int status = numbers && room ? run(numbers, room, n) : EXIT_FAILURE;
    free(room);
    free(numbers);
    return status;
}
