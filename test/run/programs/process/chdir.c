// A program that changes its folder: the archive is in the folder that the trace path meant at the
// start. The path is relative in this test.
//
// trace-path: relative
// expect: forks == 2
// expect: tasks == 2
#include "check.h"
#include <unistd.h>

static int region(void)
{
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(sum)
        atomic_fetch_add(&sum, 1);
    }
    return sum;
}

int main(void)
{
    CHECK(region() == 1);
    CHECK(chdir("/") == 0);
    CHECK(region() == 1);
    printf("regions 2\n");
    return 0;
}
