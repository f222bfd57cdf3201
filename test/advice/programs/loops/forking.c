// Each of many small loops is a region of its own.
#include "../pair.h"

enum { REGIONS = 60000, N = 8, APART = 8 };

static unsigned long sums[N * APART];

void before(void)
{
    for (int r = 0; r < sized(REGIONS, REGIONS / 20); r++) {
#pragma omp parallel for schedule(static) // HERE
        for (int i = 0; i < N; i++) {
            sums[i * APART] += compute(100);
        }
    }
}

void after(void)
{
#pragma omp parallel
    for (int r = 0; r < sized(REGIONS, REGIONS / 20); r++) {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++) {
            sums[i * APART] += compute(100);
        }
    }
}
