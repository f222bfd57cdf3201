// A program of known shape: shapes KIND, of independent, chain, diamond, wavefront, pipeline,
// reduce. It prints its work and its span in seconds: sums over the measured times of its tasks.
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST_TASKS = 64, NONE = MOST_TASKS };

static struct {
    double ms;
    int before[2]; // tasks, or NONE
    double seconds;
} tasks[MOST_TASKS];
static char done[MOST_TASKS + 1];
static int n_tasks;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Returns the duration on the clock of the recording, with the time in which another process ran.
static double spin(double ms)
{
    double begin = now(CLOCK_MONOTONIC), end = now(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * ms;
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
    return now(CLOCK_MONOTONIC) - begin;
}

static int add(double ms, int a, int b)
{
    tasks[n_tasks].ms = ms;
    tasks[n_tasks].before[0] = a;
    tasks[n_tasks].before[1] = b;
    return n_tasks++;
}

static void run(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n_tasks; i++) {
        char *a = &done[tasks[i].before[0]], *b = &done[tasks[i].before[1]];
#pragma omp task depend(in : *a, *b) depend(out : done[i])
        tasks[i].seconds = spin(tasks[i].ms);
    }
    double work = 0, span = 0, ends[MOST_TASKS + 1] = {0};
    for (int i = 0; i < n_tasks; i++) {
        double a = tasks[i].before[0] < i ? ends[tasks[i].before[0]] : 0;
        double b = tasks[i].before[1] < i ? ends[tasks[i].before[1]] : 0;
        ends[i] = (a > b ? a : b) + tasks[i].seconds;
        span = ends[i] > span ? ends[i] : span;
        work += tasks[i].seconds;
    }
    printf("%.9f %.9f\n", work, span);
}

static void build(const char *kind)
{
    if (strcmp(kind, "independent") == 0) {
        for (int i = 0; i < 32; i++) {
            add(8, NONE, NONE);
        }
    } else if (strcmp(kind, "chain") == 0) {
        for (int i = 0; i < 30; i++) {
            add(8, i > 0 ? i - 1 : NONE, NONE);
        }
    } else if (strcmp(kind, "diamond") == 0) {
        int top = add(60, NONE, NONE), a = add(60, top, NONE), b = add(60, top, NONE);
        add(60, a, b);
    } else if (strcmp(kind, "wavefront") == 0) {
        for (int i = 0; i < 36; i++) {
            add(8, i >= 6 ? i - 6 : NONE, i % 6 > 0 ? i - 1 : NONE);
        }
    } else if (strcmp(kind, "pipeline") == 0) {
        for (int i = 0; i < 48; i++) { // three stages, of which the second is the longest
            add(i % 3 == 1 ? 12 : 3, i >= 3 ? i - 3 : NONE, i % 3 > 0 ? i - 1 : NONE);
        }
    } else if (strcmp(kind, "reduce") == 0) {
        for (int i = 0; i < 16; i++) {
            add(12, NONE, NONE);
        }
        for (int i = 0; i < 15; i++) {
            add(8, 2 * i, 2 * i + 1);
        }
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    build(kind);
    if (n_tasks > 0) {
        run();
    }
    return n_tasks == 0;
}
