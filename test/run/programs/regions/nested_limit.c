// An inner region beyond max-active-levels has a team of one.
//
// threads: 2 4
// env: OMP_MAX_ACTIVE_LEVELS=1
// expect: forks == 1 + T
// expect: team_begins == T + T
// expect: tasks == T
#include "check.h"

int main(void)
{
    atomic_int sum = 0;
#pragma omp parallel
    {
#pragma omp parallel num_threads(4)
        {
            CHECK(omp_get_num_threads() == 1);
#pragma omp task
            atomic_fetch_add(&sum, 1);
        }
        work(1000);
    }
    CHECK(sum == omp_get_max_threads());
    printf("sum ok\n");
    return 0;
}
