// Many threads, one after the other, each with a region. (With spinning workers, or with freed
// memory overwritten, libomp 14 to 19 itself sometimes crashes here.)
//
// args: 30
// env: OMP_WAIT_POLICY=passive MALLOC_PERTURB_=0
// expect: forks == out('threads')
// expect: tasks == out('threads')
#include "check.h"
#include <pthread.h>

static atomic_int sum;

static void *once(void *unused)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        atomic_fetch_add(&sum, 1);
    }
    return unused;
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 30);
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, once, NULL) == 0);
        pthread_join(thread, NULL);
    }
    CHECK(sum == n);
    printf("threads %d\n", n);
    return 0;
}
