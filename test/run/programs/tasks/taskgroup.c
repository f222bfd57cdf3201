// A taskgroup waits for grandchildren, a taskwait only for children; taskgroups nest.
//
// args: 4
// grow: 16
// expect: tasks == out('tasks')
// expect: enters('taskgroup') == out('taskgroups')
// expect: enters('taskgroup wait') == out('taskgroups')
// expect: regions('taskgroup') == 2
#include "check.h"

static atomic_int n_done;

static void descend(int depth)
{
    if (depth == 0) {
        work(200);
        atomic_fetch_add(&n_done, 1);
        return;
    }
    for (int i = 0; i < 2; i++) {
#pragma omp task
        descend(depth - 1);
    }
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 4);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp taskgroup
        {
            descend(3);
#pragma omp task
            {
#pragma omp taskgroup
                descend(2);
            }
        }
        CHECK(n_done == (i + 1) * (8 + 4));
    }
    printf("leaves %d\ntasks %d\ntaskgroups %d\n", n_done, n * (14 + 1 + 6), 2 * n);
    return 0;
}
