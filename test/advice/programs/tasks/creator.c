// One thread creates all tasks, and creating one takes almost as long as executing it.
#include "../pair.h"

enum { N = 80 };

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        rest(3);
#pragma omp task // HERE
        rest(4);
    }
}

void after(void)
{
#pragma omp parallel
#pragma omp for
    for (int i = 0; i < N; i++) {
        rest(3);
#pragma omp task
        rest(4);
    }
}
