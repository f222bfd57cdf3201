// All tasks depend on one variable, although they are independent.
#include "../pair.h"

enum { N = 32 };

static double sum, part[N];

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : sum) // HERE
        {
            rest(15);
            sum += i;
        }
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : part[i])
        {
            rest(15);
            part[i] += i;
        }
    }
    for (int i = 0; i < N; i++) {
        sum += part[i];
    }
}
