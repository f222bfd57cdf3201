// A root task prepares all data before it creates the first task.
#include "../pair.h"

void before(void)
{
#pragma omp parallel
#pragma omp single nowait
#pragma omp task // HERE
    {
        rest(300);
        for (int i = 0; i < 30; i++) {
#pragma omp task
            rest(20);
        }
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp single nowait
#pragma omp task
    for (int i = 0; i < 30; i++) {
#pragma omp task
        {
            rest(10);
            rest(20);
        }
    }
}
