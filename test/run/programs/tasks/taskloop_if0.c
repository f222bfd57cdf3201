// Undeferred chunks are executed at once, within the loop that creates them.
//
// expect: tasks == 5
// expect: all_undeferred()
// expect: enters('taskgroup') == 1
#include "check.h"

int main(void)
{
    int order[50], n = 0;
#pragma omp parallel
#pragma omp single
    {
        int me = omp_get_thread_num();
#pragma omp taskloop num_tasks(5) if (0) shared(order, n)
        for (int i = 0; i < 50; i++) {
            CHECK(omp_get_thread_num() == me);
            order[n++] = i;
        }
    }
    CHECK(n == 50);
    printf("first %d\nlast %d\n", order[0], order[49]);
    return 0;
}
