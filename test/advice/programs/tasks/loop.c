// A loop creates a task for each of many small items; NUMBER is the number of items per task.
#include "../pair.h"

enum { N = 500000 };

static unsigned long sums[N];

static void create(int block)
{
    int n = sized(N, N / 10);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i += block) {
#pragma omp task firstprivate(i) // HERE
        for (int k = i; k < i + block && k < n; k++) {
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
