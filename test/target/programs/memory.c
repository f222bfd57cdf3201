// The routines for the memory of devices, outside any target construct.
#include "offload.h"

enum { N = 32 };

int main(void)
{
    int host = omp_get_initial_device(), last = omp_get_num_devices() - 1;
    int from[N], to[N] = {0}, square[4][4] = {{0}};
    for (int i = 0; i < N; i++) {
        from[i] = i;
    }
    int *a = omp_target_alloc(sizeof(from), 0), *b = omp_target_alloc(sizeof(from), last);
    CHECK(a && b);
    CHECK(omp_target_memcpy(a, from, sizeof(from), 0, 0, 0, host) == 0);
    CHECK(omp_target_memcpy(b, a, sizeof(from), 0, 0, last, 0) == 0);
    CHECK(omp_target_memcpy(to, b, sizeof(to) - 4, 4, 4, host, last) == 0);
    CHECK(to[0] == 0 && to[1] == 1 && to[N - 1] == N - 1);
    const size_t volume[2] = {2, 2}, there[2] = {1, 1}, here[2] = {0, 0}, size[2] = {4, 4};
    CHECK(omp_target_memcpy_rect(square, a, sizeof(int), 2, volume, there, here, size, size, host,
                                 0) == 0);
    CHECK(square[1][1] == 0 && square[2][2] == 5);
    CHECK(omp_target_associate_ptr(from, a, sizeof(from), 0, 0) == 0);
    CHECK(omp_target_is_present(from, 0));
#pragma omp target map(tofrom : from)
    from[3] = 77;
    CHECK(omp_target_disassociate_ptr(from, 0) == 0);
    CHECK(omp_target_memcpy(to, a, sizeof(to), 0, 0, host, 0) == 0);
    omp_target_free(a, 0);
    omp_target_free(b, last);
    omp_target_free(NULL, 0);
    printf("to[3] %d\n", to[3]);
    return 0;
}
