// GCC's code does not report the line of sections, except with libotter-gomp.so. A combined loop
// has the line of its region.
#include <stdio.h>

int main(void)
{
    int x[8] = {0};
    puts("begin");
#pragma omp parallel for schedule(dynamic) num_threads(2)
    for (int i = 0; i < 8; i++) {
        x[i]++;
    }
    puts("sections");
#pragma omp parallel num_threads(2)
    {
        __atomic_fetch_add(&x[0], 1, __ATOMIC_RELAXED);
#pragma omp sections
        {
#pragma omp section
            x[2]++;
#pragma omp section
            x[3]++;
        }
        __atomic_fetch_add(&x[0], 1, __ATOMIC_RELAXED);
    }
    printf("%d\n", x[2] > 0);
    return 0;
}
