// A program that kills itself: the signal is the same with a tool.
//
// exit: -6
// archives: recording
#include "check.h"

int main(void)
{
    atomic_int sum = 0;
#pragma omp parallel
    atomic_fetch_add(&sum, 1);
    CHECK(sum == omp_get_max_threads());
    printf("leaving\n");
    fflush(stdout);
    abort();
}
