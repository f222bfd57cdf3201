// Nested regions of 2 x 2 threads, whatever OMP_NUM_THREADS says, with tasks inside.
//
// args: 3
// env: OMP_MAX_ACTIVE_LEVELS=2
// expect: forks == 3 * out('rounds')
// expect: team_begins == 6 * out('rounds')
// expect: tasks == 4 * out('rounds')
// expect: regions('parallel') == 2
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 3);
    atomic_int sum = 0;
    for (int round = 0; round < n; round++) {
#pragma omp parallel num_threads(2)
        {
            CHECK(omp_get_num_threads() == 2);
            int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(outer)
            {
                CHECK(omp_get_level() == 2 && omp_get_num_threads() == 2);
#pragma omp task
                atomic_fetch_add(&sum, 1 + outer);
            }
            work(1); // a tail call of the inner construct would have an address in the runtime
        }
    }
    CHECK(sum == n * 6);
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
