// A program of known shape: shapes KIND, where KIND is independent, chain, diamond, wavefront,
// pipeline, reduce, fib, grain, creator, uneven, convoy.
//
// It prints its work and its span in seconds. Both are sums of measured times of tasks, of
// iterations, and of a creator that also spins.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_TASKS = 64, NONE = MAX_TASKS };

static struct {
    double ms;
    int before[2]; // tasks, or NONE
    double seconds;
} tasks[MAX_TASKS];
static char done[MAX_TASKS + 1];
static int n_tasks;

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Returns processor time, or wall time with SHAPES_CLOCK=wall: archives without switches also count
// the time in which another process ran.
static double spin(double ms)
{
    const char *name = getenv("SHAPES_CLOCK");
    clockid_t clock = name && strcmp(name, "wall") == 0 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    double end = now(CLOCK_THREAD_CPUTIME_ID) + 1e-3 * ms, begin = now(clock);
    while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
    return now(clock) - begin;
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
    double work = 0, span = 0, ends[MAX_TASKS + 1] = {0};
    for (int i = 0; i < n_tasks; i++) {
        double a = tasks[i].before[0] < i ? ends[tasks[i].before[0]] : 0;
        double b = tasks[i].before[1] < i ? ends[tasks[i].before[1]] : 0;
        ends[i] = (a > b ? a : b) + tasks[i].seconds;
        span = ends[i] > span ? ends[i] : span;
        work += tasks[i].seconds;
    }
    printf("%.9f %.9f\n", work, span);
}

// ---- shapes without dependences

struct measured {
    double work, span;
};

static double most(double a, double b)
{
    return a > b ? a : b;
}

// Only the leaves spin. The heaviest path leads to the longest leaf.
static struct measured fib(int n)
{
    struct measured a, b;
    if (n < 2) {
        double seconds = spin(12);
        return (struct measured){seconds, seconds};
    }
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return (struct measured){a.work + b.work, most(a.span, b.span)};
}

static void run_fib(struct measured *all)
{
#pragma omp parallel
#pragma omp single
#pragma omp task
    *all = fib(7);
}

// Tasks of 16, 4 and 1 ms, all independent.
static void run_grain(struct measured *all)
{
    double seconds[48];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 48; i++) {
#pragma omp task
        seconds[i] = spin(i < 8 ? 16 : i < 24 ? 4 : 1);
    }
    for (int i = 0; i < 48; i++) {
        all->work += seconds[i];
        all->span = most(all->span, seconds[i]);
    }
}

// The creator takes longer to create a task than another thread takes to execute it.
static void run_creator(struct measured *all)
{
    enum { N = 40 }; // before the first creation, the creator executes for 1 % of the thread time
    double seconds[N], creator[N], created = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < N; i++) {
        creator[i] = spin(8);
#pragma omp task
        seconds[i] = spin(3);
    }
    for (int i = 0; i < N; i++) {
        created += creator[i];
        all->work += creator[i] + seconds[i];
        all->span = most(all->span, created + seconds[i]);
    }
}

// A loop in which the first half of the iterations takes longer.
static void run_uneven(struct measured *all)
{
    double members[2] = {0, 0};
#pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < 8; i++) {
        double seconds = spin(i < 4 ? 20 : 2);
        members[i / 4] += seconds;
    }
    *all = (struct measured){members[0] + members[1], most(members[0], members[1])};
}

// The work is in a critical region, so no edge of the graph orders the members.
static void run_convoy(struct measured *all)
{
    double members[2] = {0, 0};
#pragma omp parallel for schedule(static) num_threads(2)
    for (int i = 0; i < 20; i++) {
#pragma omp critical
        members[i / 10] += spin(5);
    }
    *all = (struct measured){members[0] + members[1], most(members[0], members[1])};
}

// Returns whether the kind is one of the shapes without dependences.
static bool run_other(const char *kind)
{
    struct measured all = {0, 0};
    if (strcmp(kind, "fib") == 0) {
        run_fib(&all);
    } else if (strcmp(kind, "grain") == 0) {
        run_grain(&all);
    } else if (strcmp(kind, "creator") == 0) {
        run_creator(&all);
    } else if (strcmp(kind, "uneven") == 0) {
        run_uneven(&all);
    } else if (strcmp(kind, "convoy") == 0) {
        run_convoy(&all);
    }
    if (all.work > 0) {
        printf("%.9f %.9f\n", all.work, all.span);
    }
    return all.work > 0;
}

// ---- graphs of dependences

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
        for (int i = 0; i < 15; i++) { // the last one runs alone, for 5 % of the thread time
            add(i < 14 ? 8 : 16, 2 * i, 2 * i + 1);
        }
    }
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "";
    if (run_other(kind)) {
        return 0;
    }
    build(kind);
    if (n_tasks > 0) {
        run();
    }
    return n_tasks == 0;
}
