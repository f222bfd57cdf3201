// Constructs in a target region whose behaviour OpenMP leaves unspecified and which the runtime
// survives: a tool must not make them fail.
#include "offload.h"

#pragma omp declare target
int y; // clang updates all visible data

static void update(int *x)
{
#pragma omp target update to(y)
    (*x)++;
}
#pragma omp end declare target

int main(void)
{
    int x = 1, n = 0;
#pragma omp target data map(tofrom : x)
    {
#pragma omp target map(tofrom : x, n)
        {
            n = omp_get_num_devices() >= 0 && omp_get_default_device() >= 0;
            omp_set_default_device(0);
            update(&x);
        }
#pragma omp target update from(x)
#pragma omp target data map(tofrom : x)
        {
#pragma omp target map(always, tofrom : x)
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
            x++;
        }
    }
    printf("x %d, n %d\n", x, n);
    return 0;
}
