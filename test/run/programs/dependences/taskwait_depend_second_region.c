// Runtime bug A, second case. A worker executes `taskwait depend` in its second region, or a task
// in the barrier at the region's end. LLVM's runtime aborts if the worker's implicit task still has
// a tool's value.
//
// args: 6
// expect: forks == 2 * out('rounds')
// expect: tasks == 3 * T * out('rounds')
// expect: completed == tasks
// expect: enters('taskwait depend') == 2 * T * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 6);
    atomic_int sum = 0;
    for (int i = 0; i < n; i++) {
#pragma omp parallel
        {
            int x = 0;
#pragma omp task depend(out : x) shared(x)
            x = 1;
#pragma omp taskwait depend(in : x)
            CHECK(x == 1);
        }
#pragma omp parallel
        {
#pragma omp task shared(sum)
            {
                int y = 0;
#pragma omp task depend(out : y) shared(y)
                y = 1;
#pragma omp taskwait depend(in : y)
                atomic_fetch_add(&sum, y);
            }
        }
    }
    CHECK(sum == n * omp_get_max_threads());
    printf("rounds %d\n", n);
    return 0;
}
