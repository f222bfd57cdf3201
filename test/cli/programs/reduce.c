// A loop whose tasks contribute to its reduction. GCC compiles this like a scan, but it works on
// LLVM's runtime.
#include <stdio.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    printf("%d tasks\n", sum);
    return 0;
}
