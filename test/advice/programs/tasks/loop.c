// A loop creates a task for each of many small items; NUMBER is the number of items per task.
#include "../pair.h"

enum { N = 500000 };

static unsigned long sums[N];

static void create(int block)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i += block) {
#pragma omp task firstprivate(i) // HERE
        for (int k = i; k < i + block && k < N; k++) {
            sums[k] = compute(200);
        }
    }
}

void before(void)
{
    create(number > 0 ? (int)number : 1);
}

void after(void)
{
    create(number > 0 ? (int)number : 1000);
}
