// The program ends inside a region: the primary thread exits while the other works.
#include "play.h"

int main(void)
{
    atomic_int is_there = 0;
#pragma omp parallel num_threads(2) // @parallel
    {
#pragma omp masked // @masked
        {
            wait_until(&is_there, 1);
#pragma omp task // @task
            work(1);
#pragma omp taskwait // @wait
            exit(0);
        }
        atomic_store(&is_there, 1);
        wait_until(&is_there, 2);
    }
    return 0;
}
