// A task with a region of one thread, itself in a nested region of one thread. For GCC's code,
// LLVM's runtime then loses the task's data. Tasks created after the region are still its
// children, and the task ends.
//
// args: 3
// expect: forks == 1 + 2 * out('rounds')
// expect: tasks == 2 * out('rounds')
// expect: param('encountering task') == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 3), sum = 0;
#pragma omp parallel num_threads(1)
    for (int round = 0; round < n; round++) {
#pragma omp parallel num_threads(1)
        {
#pragma omp task shared(sum)
            {
#pragma omp parallel num_threads(1)
                sum++;
                work(1);
#pragma omp task shared(sum)
                sum++;
#pragma omp taskwait
                work(1);
            }
            work(1); // as in nested.c
        }
        work(1);
    }
    CHECK(sum == 2 * n);
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
