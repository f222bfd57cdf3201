// One thread prepares data in each step, and then executes as many iterations of the next loop as
// the others.
#include "../pair.h"

void before(void)
{
#pragma omp parallel
    for (int r = 0; r < 15; r++) {
#pragma omp master // HERE
        rest(20);
#pragma omp for schedule(static)
        for (int i = 0; i < 16; i++) {
            rest(2.5);
        }
    }
}

void after(void)
{
#pragma omp parallel
    for (int r = 0; r < 15; r++) {
#pragma omp master
        rest(20);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 16; i++) {
            rest(2.5);
        }
    }
}
