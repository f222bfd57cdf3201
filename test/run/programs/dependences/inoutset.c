// Members of an inoutset may run at the same time, after and before the others.
//
// attempts: 3
// args: 8
// expect: tasks == 6 * out('rounds')
// expect: param('depend inout') == out('rounds')
// expect: param('depend inoutset') == 4 * out('rounds')
// expect: param('depend in') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 8);
    atomic_int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : x) shared(x)
        atomic_store(&x, 10);
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(inoutset : x) shared(x)
            {
                work(300);
                atomic_fetch_add(&x, 1);
            }
        }
#pragma omp task depend(in : x) shared(x)
        CHECK(atomic_load(&x) == 14);
    }
    printf("rounds %d\n", n);
    return 0;
}
