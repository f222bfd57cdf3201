// Two chains of tasks wait for each other after each phase, and take turns being late.
#include "../pair.h"

enum { N = 24 };

static char data[2];

static void step(int i, int chain)
{
    rest((i + chain) % 2 ? 18 : 6);
}

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        for (int chain = 0; chain < 2; chain++) {
#pragma omp task
            step(i, chain);
        }
#pragma omp taskwait // HERE
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        for (int chain = 0; chain < 2; chain++) {
#pragma omp task depend(inout : data[chain])
            step(i, chain);
        }
    }
}
