// A dynamic loop gives threads one iteration of a few ns at a time.
#include <omp.h>

#include "../pair.h"

static void run(long chunk)
{
    int n = sized(1000000, 100000);
    omp_set_schedule(omp_sched_dynamic, (int)chunk);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < n; i++) { // HERE
        compute(50);
    }
}

void before(void)
{
    run(1);
}

void after(void)
{
    run(number > 0 ? number : 1000);
}
