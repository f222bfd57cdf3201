// Copies that are tasks, with and without dependences. Asking for the number of dimensions copies
// nothing.
#include "offload.h"

enum { N = 1000 };

static int from[N], to[N];

int main(void)
{
    int host = omp_get_initial_device();
    const size_t volume[1] = {N}, zero[1] = {0}, size[1] = {N};
    for (int i = 0; i < N; i++) {
        from[i] = i;
    }
    int *there = omp_target_alloc(sizeof(from), 0);
    omp_depend_t copied;
#pragma omp depobj(copied) depend(inout : from)
    CHECK(omp_target_memcpy_rect_async(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, host, 0,
                                       NULL) > 0);
    CHECK(omp_target_memcpy_async(there, from, sizeof(from), 0, 0, 0, host, 1, &copied) == 0);
    CHECK(omp_target_memcpy_rect_async(to, there, sizeof(int), 1, volume, zero, zero, size, size,
                                       host, 0, 1, &copied) == 0);
#pragma omp taskwait
    CHECK(to[N - 1] == N - 1);
    CHECK(omp_target_memcpy_async(to, there, sizeof(int), 0, 8, host, 0, 0, NULL) == 0);
#pragma omp taskwait
#pragma omp depobj(copied) destroy
    omp_target_free(there, 0);
    printf("to %d %d\n", to[0], to[1]);
    return 0;
}
