// A program that changes its folder before its first region.
//
// trace-path: absolute
// expect: forks == 1
#include "check.h"
#include <unistd.h>

int main(void)
{
    CHECK(chdir("/") == 0);
    atomic_int sum = 0;
#pragma omp parallel
    atomic_fetch_add(&sum, 1);
    CHECK(sum == omp_get_max_threads());
    printf("regions 1\n");
    return 0;
}
