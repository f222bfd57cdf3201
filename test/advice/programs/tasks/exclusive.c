// All tasks add to one sum, and exclude each other for as long as they compute what they add.
#include "../pair.h"

enum { N = 48 };

static long part(int i)
{
    rest(10);
    return i;
}

void before(void)
{
    long sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
#pragma omp task depend(mutexinoutset : sum) shared(sum) // HERE
        sum += part(i);
    }
    number = sum;
}

void after(void)
{
    long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += part(i);
    }
    number = sum;
}
