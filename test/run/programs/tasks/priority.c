// Tasks with several priorities, which are not reported to tools and must not break anything.
//
// args: 40
// env: OMP_MAX_TASK_PRIORITY=10
// expect: tasks == out('tasks')
// expect: completed == tasks
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 40);
    atomic_int sum = 0;
    CHECK(omp_get_max_task_priority() == 10);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task priority(i % 11) shared(sum)
        {
            work(300);
            atomic_fetch_add(&sum, i);
        }
    }
    CHECK(sum == n * (n - 1) / 2);
    printf("tasks %d\n", n);
    return 0;
}
