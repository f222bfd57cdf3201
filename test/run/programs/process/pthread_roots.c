// Several pthreads and main have regions of their own, and exit. Workers change their team leaders.
//
// args: 3
// env: OMP_WAIT_POLICY=passive MALLOC_PERTURB_=0
// expect: forks == 3 * out('rounds') + 1
// expect: tasks == T * (3 * out('rounds') + 1)
// expect: enters('initial task') == 4
#include "check.h"
#include <pthread.h>

static int n_rounds;

static void *rounds(void *unused)
{
    for (int i = 0; i < n_rounds; i++) {
        atomic_int sum = 0;
        int n_threads = 0;
#pragma omp parallel
        {
#pragma omp single
            n_threads = omp_get_num_threads();
#pragma omp task
            atomic_fetch_add(&sum, 1);
        }
        CHECK(sum == n_threads);
    }
    return unused;
}

int main(int argc, char **argv)
{
    n_rounds = (int)argument(argc, argv, 1, 3);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        CHECK(pthread_create(&threads[i], NULL, rounds, NULL) == 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("rounds %d\n", n_rounds);
    n_rounds = 1;
    rounds(NULL);
    return 0;
}
