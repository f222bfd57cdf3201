// The creator executes all tasks itself, since they are undeferred.
#include "../pair.h"

static void create(int is_deferred)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 32; i++) {
#pragma omp task if (is_deferred) // HERE
        rest(15);
    }
}

void before(void)
{
    create(0);
}

void after(void)
{
    create(1);
}
