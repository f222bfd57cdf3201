// A target region, which GCC's code cannot execute on LLVM's runtime.
#include <stdio.h>

int main(void)
{
    int x = 2;
#pragma omp target map(tofrom : x)
    x += 1;
    printf("%d\n", x);
    return 0;
}
