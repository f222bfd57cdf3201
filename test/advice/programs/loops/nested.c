// Regions inside a region of two threads have one thread each, while two others are idle.
#include <omp.h>

#include "../pair.h"

static void loop(int n)
{
#pragma omp parallel for schedule(dynamic) // HERE
    for (int i = 0; i < n; i++) {
        rest(30);
    }
}

static void run(int levels)
{
    omp_set_max_active_levels(levels);
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        rest(60);
    }
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(2);
        loop(10);
    }
}

void before(void)
{
    run(1);
}

void after(void)
{
    run(2);
}
