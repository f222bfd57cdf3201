// The first iteration of each block of a doacross loop waits for the whole block before.
#include "../pair.h"

void before(void)
{
#pragma omp parallel for ordered(1) schedule(static, 10)
    for (int i = 0; i < 40; i++) {
        rest(4);
#pragma omp ordered depend(sink : i - 1) // HERE
        rest(2);
#pragma omp ordered depend(source)
    }
}

void after(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        rest(4);
#pragma omp ordered depend(sink : i - 1)
        rest(2);
#pragma omp ordered depend(source)
    }
}
