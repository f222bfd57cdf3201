// Target constructs that the host executes: the runtime reports no device.
#include "offload.h"

int main(void)
{
    int x = 1;
#pragma omp target if (0) map(tofrom : x)
    x++;
#pragma omp target device(omp_get_initial_device()) map(tofrom : x)
    x++;
#pragma omp target data if (0) map(tofrom : x)
    x++;
    printf("x %d\n", x);
    return 0;
}
