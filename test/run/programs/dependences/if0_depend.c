// An undeferred task with dependences: its creator waits for the predecessors first.
//
// args: 5
// grow: 16
// expect: tasks == 2 * out('rounds')
// expect: enters('taskwait depend') == out('rounds')
// expect: param('depend inout') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : x) shared(x)
        {
            work(2000);
            x++;
        }
#pragma omp task if (0) depend(inout : x) shared(x)
        {
            CHECK(x == 2 * i + 1);
            x++;
        }
        CHECK(x == 2 * i + 2);
    }
    printf("x %d\nrounds %d\n", x, n);
    return 0;
}
