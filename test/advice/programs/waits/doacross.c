// Iterations of a doacross loop do work between sink and source that needs no earlier iteration.
#include "../pair.h"

void before(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        rest(2);
#pragma omp ordered depend(sink : i - 1) // HERE
        rest(6);
#pragma omp ordered depend(source)
    }
}

void after(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 40; i++) {
        rest(6);
#pragma omp ordered depend(sink : i - 1)
        rest(2);
#pragma omp ordered depend(source)
    }
}
