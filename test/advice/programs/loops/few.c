// A loop has ten iterations for four threads: with any schedule, some execute three and others two.
#include "../pair.h"

void before(void)
{
#pragma omp parallel for // HERE
    for (int i = 0; i < 10; i++) {
        rest(60);
    }
}

void after(void)
{
#pragma omp parallel for
    for (int i = 0; i < 40; i++) {
        rest(15);
    }
}
