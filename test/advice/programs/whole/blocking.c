// Tasks wait for a device most of their time, so it is right to have more threads than processors.
// In whatever order the threads end, the wait for the last task is short.
#include "../pair.h"

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 640; i++) {
#pragma omp task
        {
            rest(8);
            compute(100000);
        }
    }
}

void after(void)
{
    before();
}
