// A critical region contains work that does not need mutual exclusion.
#include "../pair.h"

static int n;

void before(void)
{
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        rest(2);
#pragma omp critical // HERE
        {
            rest(8);
            n++;
        }
    }
}

void after(void)
{
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
        rest(10);
#pragma omp critical
        n++;
    }
}
