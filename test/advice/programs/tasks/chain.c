// One task takes longer than all others together.
#include "../pair.h"

static void create_small(void)
{
    for (int i = 0; i < 16; i++) {
#pragma omp task
        rest(12);
    }
}

void before(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task // HERE
        rest(480);
        create_small();
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 24; i++) {
#pragma omp task
            rest(20);
        }
        create_small();
    }
}
