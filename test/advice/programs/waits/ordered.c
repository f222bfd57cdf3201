// The first iteration of each block of an ordered loop waits for the whole block before.
#include "../pair.h"

void before(void)
{
#pragma omp parallel for ordered schedule(static)
    for (int i = 0; i < 40; i++) {
        rest(6);
#pragma omp ordered // HERE
        rest(2);
    }
}

void after(void)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        rest(6);
#pragma omp ordered
        rest(2);
    }
}
