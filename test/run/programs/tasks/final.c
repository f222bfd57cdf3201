// Descendants of a final task are undeferred and final; mergeable ones may be merged.
//
// args: 6
// expect: tasks == 8 * out('rounds')
// expect: completed == tasks
// expect: flags('final') >= out('rounds')
#include "check.h"

static int sum;

static void add(int depth)
{
#pragma omp atomic
    sum++;
    for (int i = 0; i < 2 && depth > 0; i++) {
#pragma omp task mergeable
        {
            CHECK(omp_in_final());
            add(depth - 1);
        }
    }
#pragma omp taskwait
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 6);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task final(1)
        add(2);
#pragma omp task mergeable
        {
#pragma omp atomic
            sum++;
        }
    }
    CHECK(sum == 8 * n);
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
