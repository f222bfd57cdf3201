// A loop with a scan, which does not work if GCC's code runs on LLVM's runtime.
#include <stdio.h>

int main(void)
{
    int sum = 0, sums[10];
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < 10; i++) {
        sum += i;
#pragma omp scan inclusive(sum)
        sums[i] = sum;
    }
    printf("%d\n", sums[9]);
    return 0;
}
