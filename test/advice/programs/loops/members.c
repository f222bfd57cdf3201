// The members of a region divide the work among themselves, and unequally.
#include <omp.h>

#include "../pair.h"

void before(void)
{
#pragma omp parallel // HERE
    rest(omp_get_thread_num() == 0 ? 160 : 480);
}

void after(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 64; i++) {
        rest(10);
    }
}
