// Kernels for measuring costs: each causes many events of one kind and computes almost nothing.
//
// usage: bench KERNEL [N]
//
// Prints `seconds=... tasks=... gap_ms=... own_gap_ms=...`: the time of the kernel and the number
// of its tasks. `gap_ms` is for the kernel `stall`: the longest time between two events on one
// thread.
#define _GNU_SOURCE // also compiled by hand, without the flags of the build
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct result {
    long n_tasks;
    double gap_ms;     // the longest time between two events on one thread
    double own_gap_ms; // the same, without gaps in which another thread used the processor
};

static volatile long sink; // keeps the compiler from removing a kernel's computation

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Two tasks and a taskwait at each node; no cut-off.
static long fib(long n)
{
    if (n < 2) {
        return n;
    }
    long a;
    long b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static long fib_serially(long n)
{
    return n < 2 ? n : fib_serially(n - 1) + fib_serially(n - 2);
}

enum { CUT_OFF = 17 };

// Fibonacci with a cut-off, as in real programs: a leaf computes for a few microseconds.
static long fib_of_grain(long n)
{
    if (n < CUT_OFF) {
        return fib_serially(n);
    }
    long a;
    long b;
#pragma omp task shared(a)
    a = fib_of_grain(n - 1);
#pragma omp task shared(b)
    b = fib_of_grain(n - 2);
#pragma omp taskwait
    return a + b;
}

static long fib_tasks(long n)
{
    long previous = 0;
    long tasks = 0; // of fib(1)
    for (long i = 2; i <= n; i++) {
        long next = tasks + previous + 2;
        previous = tasks;
        tasks = next;
    }
    return tasks;
}

static struct result run_fib(long n)
{
#pragma omp parallel
#pragma omp single
    sink = fib(n);
    struct result result = {.n_tasks = fib_tasks(n)};
    return result;
}

static struct result run_grain(long n)
{
#pragma omp parallel
#pragma omp single
    sink = fib_of_grain(n);
    struct result result = {.n_tasks = fib_tasks(n - CUT_OFF + 2)};
    return result;
}

static struct result run_regions(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
#pragma omp parallel reduction(+ : sum)
        sum++;
    }
    sink = sum;
    return (struct result){0};
}

enum { TASKS_OF_STEP = 1000 };

// Executes time steps: each is a region in which one thread creates all tasks.
static struct result run_steps(long n)
{
    for (long i = 0; i < n; i++) {
#pragma omp parallel
#pragma omp single
        for (int j = 0; j < TASKS_OF_STEP; j++) {
#pragma omp task
            sink = j;
        }
    }
    return (struct result){.n_tasks = n * TASKS_OF_STEP};
}

static struct result run_taskwait(long n)
{
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp taskwait
    }
    return (struct result){0};
}

static struct result run_loops(long n)
{
    long sum = 0;
#pragma omp parallel
    for (long i = 0; i < n; i++) {
#pragma omp for schedule(dynamic, 4) reduction(+ : sum)
        for (int j = 0; j < 16; j++) {
            sum++;
        }
    }
    sink = sum;
    return (struct result){0};
}

static struct result run_locks(long n)
{
    long sum = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    for (long i = 0; i < n; i++) {
        omp_set_lock(&lock);
        sum++;
        omp_unset_lock(&lock);
#pragma omp critical
        sum++;
    }
    omp_destroy_lock(&lock);
    sink = sum;
    return (struct result){0};
}

// Tasks of one creator, and a barrier that waits for all of them.
static struct result run_flat(long n)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n; i++) {
#pragma omp task
        {
        }
    }
    struct result result = {.n_tasks = n};
    return result;
}

// n rows of n tasks, each after its left and its upper neighbour.
static struct result run_depend(long n)
{
    char *row = calloc((size_t)n + 1, 1);
    if (!row) {
        exit(EXIT_FAILURE);
    }
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < n * n; i++) {
        char *at = row + 1 + i % n;
#pragma omp task depend(in : at[-1]) depend(inout : at[0])
        {
        }
    }
    free(row);
    struct result result = {.n_tasks = n * n};
    return result;
}

static long preemptions(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

// Runs the part of `stall` on one thread: undeferred tasks with a few events each. Measures the
// times between events.
static struct result longest_gap(long n)
{
    struct result result = {0};
    long n_preemptions = preemptions();
    double last = now();
    for (long i = 0; i < n; i++) {
#pragma omp task if (0)
        {
        }
        double gap_ms = (now() - last) * 1e3;
        if (gap_ms > result.gap_ms) {
            result.gap_ms = gap_ms;
        }
        if (gap_ms > result.own_gap_ms) {
            long n_now = preemptions();
            result.own_gap_ms = n_now == n_preemptions ? gap_ms : result.own_gap_ms;
            n_preemptions = n_now;
        }
        last = now();
    }
    return result;
}

static struct result run_stall(long n)
{
    struct result all = {0};
#pragma omp parallel
    {
        struct result own = longest_gap(n);
#pragma omp critical
        {
            all.n_tasks += n;
            all.gap_ms = own.gap_ms > all.gap_ms ? own.gap_ms : all.gap_ms;
            all.own_gap_ms = own.own_gap_ms > all.own_gap_ms ? own.own_gap_ms : all.own_gap_ms;
        }
    }
    return all;
}

static const struct kernel {
    const char *name;
    struct result (*run)(long n);
    long default_n;
} kernels[] = {
    {"fib", run_fib, 27},
    {"grain", run_grain, 38},
    {"regions", run_regions, 100000},
    {"steps", run_steps, 1000},
    {"taskwait", run_taskwait, 1000000},
    {"loops", run_loops, 100000},
    {"locks", run_locks, 300000},
    {"stall", run_stall, 1000000},
    {"flat", run_flat, 1000000},
    {"depend", run_depend, 1000},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof(kernels) / sizeof(*kernels); i++) {
        if (strcmp(argv[1], kernels[i].name) == 0) {
            long n = argc > 2 ? atol(argv[2]) : kernels[i].default_n;
            omp_get_max_threads(); // starts the runtime, and its tool
            double begin = now();
            struct result result = kernels[i].run(n);
            printf("seconds=%.6f tasks=%ld gap_ms=%.3f own_gap_ms=%.3f\n", now() - begin,
                   result.n_tasks, result.gap_ms, result.own_gap_ms);
            return EXIT_SUCCESS;
        }
    }
    fprintf(stderr, "usage: bench fib|grain|regions|taskwait|loops|locks|stall|flat|depend [N]\n");
    return 2;
}
