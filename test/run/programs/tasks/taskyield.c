// Tied tasks that yield: another task is executed on top, and the first continues afterwards.
//
// args: 30
// expect: tasks == out('tasks')
// expect: completed == tasks
// expect: migrations == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 30);
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task shared(sum)
            {
                int me = omp_get_thread_num();
                for (int k = 0; k < 3; k++) {
#pragma omp taskyield
                    work(100);
                }
                CHECK(omp_get_thread_num() == me);
                atomic_fetch_add(&sum, 1);
            }
        }
#pragma omp taskyield
    }
    CHECK(sum == n);
    printf("tasks %d\n", n);
    return 0;
}
