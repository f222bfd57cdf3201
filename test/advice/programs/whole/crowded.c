// More threads than processors: each phase waits for the slowest thread.
#include <omp.h>

#include "../pair.h"

enum { N = 240, STEPS = 300 };

static unsigned long sums[N];

void before(void)
{
#pragma omp parallel
    for (int r = 0; r < STEPS; r++) {
#pragma omp for
        for (int i = 0; i < N; i++) {
            sums[i] += compute(8000);
        }
    }
}

void after(void)
{
    omp_set_num_threads(number > 0 ? (int)number : omp_get_num_procs());
    before();
}
