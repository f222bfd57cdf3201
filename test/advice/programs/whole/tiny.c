// No fault except that the run is short: the start of the threads takes longer than the work.
#include "../pair.h"

void before(void)
{
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
        compute(1000);
    }
}

void after(void)
{
#pragma omp parallel for
    for (int i = 0; i < 80; i++) {
        rest(10);
    }
}
