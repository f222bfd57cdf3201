// if(0): the encountering thread executes the task at once. A child of this task may be deferred.
//
// args: 10
// grow: 40
// expect: tasks == 2 * out('rounds')
// expect: completed == tasks
// expect: enters('taskwait') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 10);
    int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        int me = omp_get_thread_num();
        int seen = sum;
#pragma omp task if (0) shared(sum)
        {
            CHECK(omp_get_thread_num() == me);
            sum++;
#pragma omp task shared(sum)
            {
#pragma omp atomic
                sum++;
            }
#pragma omp taskwait
        }
        CHECK(sum == seen + 2);
    }
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
