// Threads spin with omp_test_lock while another thread holds the lock.
#include <omp.h>

#include "../pair.h"

static omp_lock_t lock;

static void run(double inside, double outside)
{
    omp_init_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < 40; i++) {
        rest(outside);
        while (!omp_test_lock(&lock)) { // HERE
        }
        rest(inside);
        omp_unset_lock(&lock);
    }
}

void before(void)
{
    run(5, 2);
}

void after(void)
{
    run(0.2, 6.8);
}
