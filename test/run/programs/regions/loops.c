// Worksharing loops of all schedules.
//
// args: 2
// grow: 8
// env: OMP_SCHEDULE=guided,2
// expect[clang]: enters('for') == 7 * T * out('rounds')
// expect[clang]: regions('for') == 7
// expect[T > 1 and libomp > 14]: param('chunk ticks') > 0
// expect[clang and libomp >= 19]: sum(values('iterations', after='for')) >= 7 * 60
#include "check.h"

#define LOOP(schedule_clause)                                                                      \
    _Pragma(schedule_clause) for (int i = 0; i < 60; i++)                                          \
    {                                                                                              \
        atomic_fetch_add(&hits[i], 1);                                                             \
    }

static atomic_int hits[60];

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 2);
#pragma omp parallel
    for (int round = 0; round < n; round++) {
        LOOP("omp for schedule(static)")
        LOOP("omp for schedule(static, 7)")
        LOOP("omp for schedule(dynamic, 5)")
        LOOP("omp for schedule(guided)")
        LOOP("omp for schedule(auto)")
        LOOP("omp for schedule(runtime)")
        LOOP("omp for schedule(dynamic, 3) nowait")
    }
    for (int i = 0; i < 60; i++) {
        CHECK(hits[i] == 7 * n);
    }
    printf("rounds %d\n", n);
    return 0;
}
