// A parallel region that allocates memory on the initial device. The routine is in another library
// of LLVM's runtime.
#include <stdio.h>

#include <omp.h>

int main(void)
{
    int device = omp_get_initial_device(), n = 0;
    int *memory = omp_target_alloc(sizeof *memory, device);
    *memory = 7;
#pragma omp parallel num_threads(3)
#pragma omp atomic
    n++;
    printf("%d %d\n", n, *memory);
    omp_target_free(memory, device);
    return 0;
}
