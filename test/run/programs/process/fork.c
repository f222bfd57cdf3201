// A child of fork() has its own regions and exits: it records nothing and damages nothing.
//
// expect: forks == 2
// expect: tasks == 2 * T
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
    atomic_int sum = 0;
#pragma omp parallel
    {
#pragma omp task
        atomic_fetch_add(&sum, 1);
    }
    return sum;
}

int main(void)
{
    int expected = omp_get_max_threads();
    CHECK(region() == expected);
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        int ok = region() == expected && region() == expected;
        printf("child %d\n", ok);
        exit(ok ? 7 : 1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(region() == expected);
    printf("parent ok\n");
    return 0;
}
