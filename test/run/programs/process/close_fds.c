// A program that closes every file descriptor it does not know, as daemons do.
//
// expect: forks == 3
// expect: tasks == 3 * 2000
#include "check.h"
#include <unistd.h>

static int region(void)
{
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2000; i++) {
#pragma omp task shared(sum)
        atomic_fetch_add(&sum, 1);
    }
    return sum;
}

int main(void)
{
    CHECK(region() == 2000);
    for (int fd = 3; fd < 1024; fd++) {
        close(fd);
    }
    CHECK(region() == 2000);
    CHECK(fopen("/dev/null", "r") != NULL);
    CHECK(region() == 2000);
    printf("regions 3\n");
    return 0;
}
