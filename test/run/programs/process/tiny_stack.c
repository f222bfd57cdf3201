// Threads with the smallest stacks that the runtime allows: the recorder must not need more.
//
// env: OMP_STACKSIZE=16K KMP_SETTINGS=0
// expect: tasks == 200
// expect: completed == tasks
#include "check.h"

int main(void)
{
    atomic_int sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 200; i++) {
#pragma omp task shared(sum)
            atomic_fetch_add(&sum, 1);
        }
    }
    CHECK(sum == 200);
    printf("tasks %d\n", sum);
    return 0;
}
