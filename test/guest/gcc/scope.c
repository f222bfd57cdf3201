// A scope with a reduction over tasks; prints the sum.
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp scope reduction(task, + : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum += 5;
    }
    printf("%d\n", sum);
    return 0;
}
