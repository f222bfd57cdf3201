// In each step, the first half of a loop's iterations takes longer. The threads wait for each other
// only after the next loop, which is even.
#include "../pair.h"

enum { N = 16 };

static void even(void)
{
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++) {
        rest(2);
    }
}

void before(void)
{
#pragma omp parallel
    for (int r = 0; r < 10; r++) {
#pragma omp for schedule(static) nowait // HERE
        for (int i = 0; i < N; i++) {
            rest(i < N / 2 ? 3 : 1);
        }
        even();
    }
}

void after(void)
{
#pragma omp parallel
    for (int r = 0; r < 10; r++) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++) {
            rest(i < N / 2 ? 3 : 1);
        }
        even();
    }
}
