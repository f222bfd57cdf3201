// Members of a mutexinoutset run in any order, one at a time, after and before the others.
//
// attempts: 3
// args: 8
// grow: 32
// expect: tasks == 6 * out('rounds')
// expect: param('depend inout') == out('rounds')
// expect: param('depend mutexinoutset') == 4 * out('rounds')
// expect: param('depend in') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 8);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : x) shared(x)
        x = 10;
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(mutexinoutset : x) shared(x)
            {
                int seen = x;
                work(500);
                x = seen + 1;
            }
        }
#pragma omp task depend(in : x) shared(x)
        CHECK(x == 14);
    }
    printf("rounds %d\n", n);
    return 0;
}
