// The largest task is the last. Threads execute their own newest task and steal the oldest, so the
// task that was created in the middle is executed last.
#include "../pair.h"

static void create_small(void)
{
    for (int i = 0; i < 40; i++) {
#pragma omp task
        rest(8);
    }
}

void before(void)
{
#pragma omp parallel
#pragma omp single
    {
        create_small();
#pragma omp task // HERE
        rest(180);
        create_small();
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single
    {
        create_small();
        for (int i = 0; i < 18; i++) {
#pragma omp task
            rest(10);
        }
        create_small();
    }
}
