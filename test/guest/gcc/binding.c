// Bound threads run on different processors, and the program sees its own environment.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    cpu_set_t all;
    CPU_ZERO(&all);
#pragma omp parallel num_threads(2)
    {
        cpu_set_t own;
        sched_getaffinity(0, sizeof own, &own);
#pragma omp critical
        CPU_OR(&all, &all, &own);
    }
    const char *binding = getenv("OMP_PROC_BIND"), *hidden = getenv("OTTER_HIDDEN_OMP_PROC_BIND");
    printf("%d of %d processors, %s %s\n", CPU_COUNT(&all), omp_get_num_procs(),
           binding ? binding : "unset", hidden ? hidden : "unset");
    return 0;
}
