// The threads take turns being late at a barrier that they do not need.
#include <omp.h>

#include "../pair.h"

static void step(int i)
{
    rest((i + omp_get_thread_num()) % 2 ? 18 : 6);
}

void before(void)
{
#pragma omp parallel
    for (int i = 0; i < 32; i++) {
        step(i);
#pragma omp barrier // HERE
    }
}

void after(void)
{
#pragma omp parallel
    for (int i = 0; i < 32; i++) {
        step(i);
    }
}
