// Creates a few tasks. Its argument selects a variation:
// - kill, abort: the program is killed while tasks run
// - none: no OpenMP construct
// - cancel: the first task cancels the others (with OMP_CANCELLATION=true)
// - elsewhere: the program first changes its folder
// - regions: six small regions before the tasks
// - exec, exec twice: the program executes itself again after some tasks
// - clear: the program clears its environment at the end
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void cancel(void)
{
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
    for (int i = 0; i < 10; i++) {
#pragma omp task
        {
#pragma omp cancel taskgroup
        }
    }
}

__attribute__((noinline)) static void regions(void)
{
    for (int i = 0; i < 6; i++) {
#pragma omp parallel
        __asm__ volatile("");
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "none") == 0) {
        return 0;
    }
    if (strcmp(what, "regions") == 0) {
        regions();
    }
    if (strcmp(what, "cancel") == 0) {
        cancel();
    }
    if (strcmp(what, "elsewhere") == 0 && chdir("..") != 0) {
        return 1;
    }
    int n = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
        if (strcmp(what, "kill") == 0 && i == 5) {
            raise(SIGKILL);
        }
        if (strncmp(what, "exec", 4) == 0 && i == 5) {
            const char *next = strcmp(what, "exec twice") == 0 ? "exec" : NULL;
            execl("/proc/self/exe", argv[0], next, (char *)NULL);
        }
        if (strcmp(what, "abort") == 0 && i == 5) {
            raise(SIGABRT);
        }
#pragma omp task shared(n)
#pragma omp atomic
        n++;
    }
    if (strcmp(what, "clear") == 0) {
        clearenv();
    }
    printf("%d tasks\n", n);
    return 0;
}
