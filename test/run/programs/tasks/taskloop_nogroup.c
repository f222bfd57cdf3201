// Without the taskgroup, only the barrier waits for the chunks.
//
// expect: tasks == 8
// expect: enters('taskgroup') == 0
// expect[clang]: enters('taskloop') == 1
#include "check.h"

int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single nowait
    {
#pragma omp taskloop num_tasks(8) nogroup
        for (int i = 0; i < 64; i++) {
#pragma omp atomic
            sum += i;
        }
    }
    CHECK(sum == 63 * 64 / 2);
    printf("sum %d\n", sum);
    return 0;
}
