// One thread prepares data in each step, and the others wait.
#include "../pair.h"

static void step(void)
{
#pragma omp for
    for (int i = 0; i < 4; i++) {
        rest(10);
    }
}

void before(void)
{
#pragma omp parallel
    for (int r = 0; r < 15; r++) {
#pragma omp single // HERE
        rest(20);
        step();
    }
}

void after(void)
{
#pragma omp parallel
    for (int r = 0; r < 15; r++) {
#pragma omp for
        for (int i = 0; i < 4; i++) {
            rest(5);
        }
        step();
    }
}
