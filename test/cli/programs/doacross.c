// A loop whose iterations wait for each other, which does not work in a team of one thread if GCC's
// code runs on LLVM's runtime.
#include <stdio.h>

int main(void)
{
    int sums[10] = {0};
#pragma omp parallel for ordered(1)
    for (int i = 1; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
        sums[i] = sums[i - 1] + i;
#pragma omp ordered depend(source)
    }
    printf("%d\n", sums[9]);
    return 0;
}
