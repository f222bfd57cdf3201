// masked and master: executed by the primary thread, or by the thread that the filter names; no
// barrier.
//
// args: 5
// expect[clang]: enters('masked') == out('rounds') * (2 + min(T, 2) - 1)
// expect[gcc]: enters('masked') == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    atomic_int primary = 0, second = 0;
#pragma omp parallel
    for (int round = 0; round < n; round++) {
#pragma omp masked
        atomic_fetch_add(&primary, 1);
#pragma omp master
        atomic_fetch_add(&primary, 1);
#pragma omp masked filter(1)
        atomic_fetch_add(&second, 1);
    }
    CHECK(primary == 2 * n);
    CHECK(second == (omp_get_max_threads() > 1 ? n : 0));
    printf("rounds %d\n", n);
    return 0;
}
