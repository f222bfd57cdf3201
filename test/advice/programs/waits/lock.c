// All threads need one lock for half of their time.
#include <omp.h>

#include "../pair.h"

static omp_lock_t locks[64];

static void run(int n_locks)
{
    for (int i = 0; i < n_locks; i++) {
        omp_init_lock(&locks[i]);
    }
#pragma omp parallel
    for (int i = 0; i < 40; i++) {
        omp_lock_t *lock = &locks[omp_get_thread_num() % n_locks];
        rest(3);
        omp_set_lock(lock); // HERE
        rest(3);
        omp_unset_lock(lock);
    }
}

void before(void)
{
    run(1);
}

void after(void)
{
    run(64);
}
