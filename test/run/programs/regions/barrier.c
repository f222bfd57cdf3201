// Explicit barriers, and implicit barriers of worksharing constructs and regions.
//
// args: 10
// grow: 40
//
// expect[clang]: enters('barrier') == T * out('rounds')
// expect[clang and libomp >= 19]: enters('implicit barrier', 'worksharing') == T * out('rounds')
//
// expect[clang and libomp >= 19]: enters('implicit barrier', 'parallel') == (T if T > 1 else 0)
// expect[gcc]: enters('implementation barrier') == 2 * T * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 10);
    atomic_int count = 0;
    int n_threads = omp_get_max_threads();
#pragma omp parallel
    for (int round = 0; round < n; round++) {
        atomic_fetch_add(&count, 1);
#pragma omp barrier
        CHECK(count == (round + 1) * n_threads);
#pragma omp for
        for (int i = 0; i < 8; i++) {
            work(10);
        }
    }
    printf("rounds %d\n", n);
    return 0;
}
