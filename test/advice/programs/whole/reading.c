// Each step reads its input outside of parallel regions: the thread sleeps until it is there.
#include "../pair.h"

enum { STEPS = 8 };

static void read_input(void)
{
    rest(40);
}

void before(void)
{
    for (int r = 0; r < STEPS; r++) {
        read_input();
#pragma omp parallel for
        for (int i = 0; i < 8; i++) {
            rest(10);
        }
    }
}

// The input of the next step is read while the threads work on this one.
void after(void)
{
    read_input();
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < STEPS; r++) {
        if (r + 1 < STEPS) {
#pragma omp task
            read_input();
        }
        for (int i = 0; i < 8; i++) {
#pragma omp task
            rest(10);
        }
#pragma omp taskwait
    }
}
