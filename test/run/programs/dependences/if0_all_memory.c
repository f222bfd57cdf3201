// omp_all_memory at a task with if(0), and at a taskwait.
//
// args: 5
// grow: 16
//
// expect: tasks == 4 * out('rounds')
// expect: enters('taskwait depend') == 2 * out('rounds')
// expect: param('depend out all memory') == 3 * out('rounds')
// expect: param('depend in') == out('rounds')
// expect: param('depend inout') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int x = 0, y = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : x) shared(x)
        {
            work(500);
            x++;
        }
#pragma omp task if (0) depend(inout : omp_all_memory) shared(y)
        {
            CHECK(x == i + 1);
            y++;
        }
#pragma omp task depend(inout : omp_all_memory) shared(y)
        y++;
#pragma omp task depend(in : x) shared(y)
        CHECK(y == 2 * i + 2);
#pragma omp taskwait depend(out : omp_all_memory)
        CHECK(y == 2 * i + 2);
    }
    printf("rounds %d\n", n);
    return 0;
}
