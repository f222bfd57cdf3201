// Runtime bug A, first case. While a task waits in `taskwait depend`, its thread executes a task
// that does the same. LLVM's runtime aborts if a tool has given the waiting pseudo task a value.
//
// args: 20
// expect: completed == tasks
// expect: enters('taskwait depend') == 5 * out('rounds')
// expect: tasks == 9 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 20);
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        int x[5];
        for (int k = 0; k < 4; k++) {
#pragma omp task depend(out : x[k]) shared(x, sum)
            {
                int y = 0;
#pragma omp task depend(out : y) shared(y)
                {
                    work(1000);
                    y = 1;
                }
#pragma omp taskwait depend(in : y)
                x[k] = y;
                atomic_fetch_add(&sum, y);
            }
        }
#pragma omp task depend(out : x[4]) shared(x)
        {
            work(1000);
            x[4] = 1;
        }
#pragma omp taskwait depend(in : x[4])
        CHECK(x[4] == 1);
#pragma omp taskwait
    }
    CHECK(sum == 4 * n);
    printf("rounds %d\n", n);
    return 0;
}
