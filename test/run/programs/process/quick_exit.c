// _exit() after the work: no tool is finalised. The program's result is the same; the recording
// remains in the folder.
//
// exit: 12
// archives: recording
#include "check.h"
#include <unistd.h>

int main(void)
{
    atomic_int sum = 0;
#pragma omp parallel
    atomic_fetch_add(&sum, 1);
    CHECK(sum == omp_get_max_threads());
    printf("leaving\n");
    fflush(stdout);
    _exit(12);
}
