// Each loop changes 2000 of 400,000 elements. The threads add up their copies of the array after
// each loop: before() reduces once per loop, after() once for all loops.
#include "../pair.h"

enum { N = 400000, N_CHANGES = 2000, STRIDE = 7919 };

static double counts[N];

void before(void)
{
    for (int r = 0; r < sized(100, 20); r++) {
#pragma omp parallel for reduction(+ : counts) // HERE
        for (int i = 0; i < N_CHANGES; i++) {
            counts[i * STRIDE % N]++;
        }
    }
}

void after(void)
{
#pragma omp parallel reduction(+ : counts)
    for (int r = 0; r < sized(100, 20); r++) {
#pragma omp for
        for (int i = 0; i < N_CHANGES; i++) {
            counts[i * STRIDE % N]++;
        }
    }
}
