// A taskloop with a reduction, and tasks that take part in the reduction of a taskgroup.
//
// expect: tasks == 10 + 20
// expect: enters('taskgroup') == 2 if clang else enters('taskgroup') >= 2
#include "check.h"

int main(void)
{
    long sum = 0, product = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop num_tasks(10) reduction(+ : sum)
        for (int i = 0; i < 1000; i++) {
            sum += i;
        }
#pragma omp taskgroup task_reduction(+ : product)
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : product) firstprivate(i)
                product += i * i;
            }
        }
    }
    CHECK(sum == 499500);
    CHECK(product == 2470);
    printf("sum %ld\nproduct %ld\n", sum, product);
    return 0;
}
