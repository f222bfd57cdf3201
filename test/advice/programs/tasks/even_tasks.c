// No fault: enough tasks of equal size.
#include "../pair.h"

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 160; i++) {
#pragma omp task
        rest(10);
    }
}

void after(void)
{
    before();
}
