// A target region, which does not work if GCC's code runs on LLVM's runtime.
#include <stdio.h>

int main(void)
{
    int x = 2;
#pragma omp target map(tofrom : x)
    x += 1;
    printf("%d\n", x);
    return 0;
}
