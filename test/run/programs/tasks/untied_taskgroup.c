// An untied task with a taskgroup inside, so constructs are open where the task is split, and
// untied children.
//
// args: 8
// repaired: yes
// expect: tasks == 6 * out('rounds')
// expect: completed == tasks
// expect: enters('taskgroup') >= out('rounds')
#include "check.h"

static void children(atomic_int *leaves)
{
    for (int k = 0; k < 5; k++) {
#pragma omp task untied
        {
            work(500);
            atomic_fetch_add(leaves, 1);
#pragma omp taskyield
        }
    }
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 8);
    atomic_int leaves = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task untied shared(leaves)
        {
#pragma omp taskgroup
            children(&leaves);
        }
    }
    CHECK(leaves == 5 * n);
    printf("rounds %d\n", n);
    return 0;
}
