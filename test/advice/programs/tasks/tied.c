// A task could continue after its taskwait, but its thread executes another task in the meantime.
#include "../pair.h"

static int is_created, is_begun, is_below;

static void wait_for(int *flag)
{
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
        rest(0.1);
    }
}

static void signal_to(int *flag)
{
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

// The other thread executes the child, which creates the following tasks. This thread executes one
// of them in its taskwait.
static void parent(int n_below, int ms)
{
#pragma omp task shared(is_created, is_begun)
    {
        signal_to(&is_begun);
        for (int i = 0; i < n_below; i++) {
#pragma omp task shared(is_below)
            {
                signal_to(&is_below);
                rest(ms);
            }
        }
        signal_to(&is_created);
        wait_for(&is_below);
        rest(20);
    }
    wait_for(&is_begun);
    wait_for(&is_created);
#pragma omp taskwait
    for (int i = 0; i < 20; i++) {
#pragma omp task
        rest(20);
    }
}

void before(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task // HERE
    parent(1, 400);
}

void after(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
    parent(20, 20);
}
