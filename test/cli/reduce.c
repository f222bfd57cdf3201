// A loop whose tasks take part in its reduction: GCC compiles it as it does a scan, but LLVM's runtime can do it.
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
