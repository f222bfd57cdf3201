// One section takes three times as long as the two others together.
#include "../pair.h"

void before(void)
{
#pragma omp parallel sections // HERE
    {
#pragma omp section
        rest(80);
#pragma omp section
        rest(80);
#pragma omp section
        rest(480);
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 2; i++) {
#pragma omp task
            rest(80);
        }
        for (int i = 0; i < 6; i++) {
#pragma omp task
            rest(80);
        }
    }
}
