// A program for `otter diff`: compared TASKS MILLISECONDS [wait]
//
// A single task creates TASKS tasks, then a loop of 4 iterations follows. Each task and each
// iteration executes for MILLISECONDS. `wait` adds a taskwait after the first task.
#include <omp.h>
#include <stdlib.h>
#include <time.h>

#ifdef FIRST_LINE // the lines as another version of this program has them
#line FIRST_LINE
#endif

static void spin(double seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    double end = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < end);
}

static void finish(void)
{
    // so that the preceding construct is not a jump to the runtime, and has its own line
    __asm__ volatile("");
}

static void make_tasks(int n, double seconds, int waits)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task
        spin(seconds);
        if (waits && i == 0) {
#pragma omp taskwait
        }
    }
    finish();
}

static void loop(double seconds)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 4; i++) {
        spin(seconds);
    }
    finish();
}

int main(int argc, char **argv)
{
    double seconds = argc > 2 ? atof(argv[2]) / 1000 : 0.001;
    make_tasks(argc > 1 ? atoi(argv[1]) : 4, seconds, argc > 3);
    loop(seconds);
    return 0;
}
