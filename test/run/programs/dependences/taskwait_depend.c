// taskwait depend waits only for the predecessors.
//
// args: 5
// grow: 16
// expect: tasks == 3 * out('rounds')
// expect: enters('taskwait depend') == out('rounds')
// expect: param('depend inout') == 2 * out('rounds')
// expect: param('depend in') == out('rounds')
// expect: enters('taskwait') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        int y = 0;
#pragma omp task depend(out : x) shared(x)
        {
            work(2000);
            x++;
        }
#pragma omp task depend(inout : y) shared(y)
        {
            work(4000);
            y++;
        }
#pragma omp taskwait depend(in : x)
        CHECK(x == 2 * i + 1);
#pragma omp task shared(x)
        x++;
#pragma omp taskwait
        CHECK(y == 1);
    }
    printf("x %d\nrounds %d\n", x, n);
    return 0;
}
