// A child that executes the same program again: a second run, with an archive of its own.
//
// archives: 2
// expect: forks == 1
// expect: tasks == 3
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static int region(void)
{
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 3; i++) {
#pragma omp task shared(sum)
        atomic_fetch_add(&sum, 1);
    }
    return sum;
}

int main(int argc, char **argv)
{
    CHECK(region() == 3);
    if (argc > 1) {
        printf("child ok\n");
        return 8;
    }
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execl("/proc/self/exe", argv[0], "child", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 8);
    printf("parent ok\n");
    return 0;
}
