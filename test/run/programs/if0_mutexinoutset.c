// Runtime bug B: with the dependences callback registered, libomp writes past its array at an undeferred task with
// such a clause. With default settings no correct program may die of it.
//
// args: 200
// warning: depend clauses of this program are not recorded
// expect: tasks == 2 * out('rounds')
// expect: completed == tasks
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
