// exit() by one thread of a region: the runtime never finalises its tools, and the other threads
// continue until the end.
//
// exit: 5
// unfinished: constructs tasks
// expect: forks == 1
// expect: prop('OTTER::UNFINISHED') != '0'
#include "check.h"

int main(void)
{
    atomic_int n_ready = 0;
    int n_threads = omp_get_max_threads();
    printf("leaving\n");
#pragma omp parallel
    {
        atomic_fetch_add(&n_ready, 1);
        wait_until(&n_ready, n_threads);
        if (omp_get_thread_num() == n_threads - 1) {
            exit(5);
        }
        for (;;) {
#pragma omp task
            work(1000);
#pragma omp taskwait
        }
    }
    return 0;
}
