// A task with if(0) that depends by mutexinoutset: LLVM's runtime corrupts its heap if a tool
// registers for dependences.
//
// attempts: 3
// args: 200
// grow: 300
// expect: tasks == 2 * out('rounds')
// expect: completed == tasks
// expect: enters('taskwait depend') == out('rounds')
// expect: param('depend mutexinoutset') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 200);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x)
        x++;
#pragma omp task if (0) depend(mutexinoutset : x) shared(x)
        x++;
    }
    CHECK(x == 2 * n);
    printf("x %d\nrounds %d\n", x, n);
    return 0;
}
