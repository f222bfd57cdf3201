// Three parts, with a pause during the second, within a phase and a parallel region. Arguments:
// tasks of the first part (each further part has one more), threads. The tasks of each part have a
// line of their own, and do not wait. The initial thread pauses: another thread would notice the
// pause only if it executed a task meanwhile.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "otter/control.h"

static long total;

static void work(void)
{
#pragma omp atomic
    total++;
}

static void before(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task
        work();
    }
}

static void paused(int n)
{
    otter_phase_begin("paused");
    for (int i = 0; i < n; i++) {
#pragma omp task
        work();
    }
#pragma omp taskwait
    nanosleep(&(struct timespec){.tv_nsec = 300 * 1000 * 1000}, NULL);
    otter_phase_end();
}

static void behind(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task
        work();
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100;
    int threads = argc > 2 ? atoi(argv[2]) : 2;
#pragma omp parallel num_threads(threads)
    {
    }
    otter_phase_begin("around");
#pragma omp parallel num_threads(threads)
#pragma omp master
    {
        before(n);
#pragma omp taskwait
        otter_pause();
        paused(n + 1);
        otter_start();
        behind(n + 2);
    }
    otter_phase_end();
    printf("%ld\n", total);
    return 0;
}
