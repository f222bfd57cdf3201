// Sends itself the signal that toggles recording: before its first parallel region, and later
// during its threads' work.
#include <omp.h>
#include <signal.h>
#include <stdio.h>

static void work(const char *name, int n)
{
#pragma omp parallel num_threads(n)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
#pragma omp critical
            fflush(stdout);
        }
    }
    puts(name);
}

int main(void)
{
    int n = omp_get_max_threads();
    raise(SIGUSR1);
    work("paused", n);
    raise(SIGUSR1);
    work("recorded", n);
    raise(SIGUSR1);
    work("paused", n);
    return 0;
}
