// Calls routines of OpenMP 5 that set numbers and allocate memory; prints the values in force.
#include <stdint.h>
#include <stdio.h>

#include <omp.h>

static void allocate(void)
{
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
    omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, traits);
    int x = 1, sum = 0, n_misaligned = 0;
#pragma omp parallel num_threads(3) private(x) allocate(allocator : x)                             \
    reduction(+ : sum, n_misaligned)
    {
        x = omp_get_thread_num();
        sum += x;
        n_misaligned += (uintptr_t)&x % 64 != 0;
    }
    int *memory = omp_alloc(64, allocator);
    memory = omp_realloc(memory, 4096, allocator, allocator);
    memory[1000] = 5;
    omp_set_default_allocator(allocator);
    printf("%d %d %d %d\n", sum, n_misaligned, memory[1000],
           omp_get_default_allocator() == allocator);
    omp_free(memory, allocator);
    omp_free(omp_aligned_alloc(64, 128, omp_default_mem_alloc), omp_default_mem_alloc);
    omp_free(omp_calloc(3, 5, omp_null_allocator), omp_null_allocator);
    omp_free(omp_aligned_calloc(64, 3, 5, omp_large_cap_mem_alloc), omp_large_cap_mem_alloc);
    omp_set_default_allocator(omp_default_mem_alloc);
    omp_destroy_allocator(allocator);
}

int main(void)
{
    allocate();
    omp_set_num_teams(5);
    omp_set_teams_thread_limit(3);
    int n = 0;
#pragma omp teams reduction(+ : n)
    n++;
    printf("%d teams, %d, %d\n", n, omp_get_max_teams(), omp_get_teams_thread_limit());
    n = 0;
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : n)
    n += omp_get_num_teams();
    printf("%d\n", n);
    return omp_get_supported_active_levels() < 1;
}
