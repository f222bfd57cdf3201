// target nowait without a device: executed by libomp's hidden helper threads, outside the creator's
// team.
//
// threads[libomp < 19]: 2 4
// args: 3
// expect: completed == tasks
// expect: tasks == 2 * out('rounds')
// expect[libomp >= 19]: flags('target') == out('rounds')
// expect: forks == 1
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 3);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp target nowait map(tofrom : x) depend(inout : x)
        x++;
#pragma omp task depend(inout : x) shared(x)
        x++;
#pragma omp taskwait
        CHECK(x == 2 * i + 2);
    }
    printf("rounds %d\n", n);
    return 0;
}
