// Regions nested in regions nested in tasks; all but the first have one thread. For GCC's code,
// LLVM's runtime reports the end of the middle regions as the end of the first region.
//
// args: 3
// expect: forks == 1 + 2 * out('rounds')
// expect: tasks == out('rounds')
// expect: regions('parallel') == 3
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 3);
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < n; round++) {
#pragma omp task
        {
#pragma omp parallel num_threads(1)
            {
#pragma omp parallel num_threads(1)
                {
                    CHECK(omp_get_level() == 3);
                    atomic_fetch_add(&sum, 1);
                }
                work(1); // as in nested.c
            }
            work(1);
        }
    }
    CHECK(sum == n);
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
