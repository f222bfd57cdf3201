// Programs whose change `otter report` predicts: predict KERNEL [changed]
//
// Each kernel has a change that a user would make. Work is a fixed number of operations, so that
// both variants do the same. The program prints the seconds of its kernel.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_changed;
static volatile double sink;

// Works for some microseconds, without memory.
static void spin(int n)
{
    double value = 1;
    for (int i = 0; i < 250 * n; i++) {
        value = value * 1.0000001 + 1e-9;
    }
    sink = value;
}

static int fib(int n)
{
    if (n < 2) {
        spin(20);
        return n;
    }
    int left, right;
#pragma omp task shared(left)
    left = fib(n - 1);
#pragma omp task shared(right)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

static void run_fib(void)
{
#pragma omp parallel
#pragma omp single
    sink = fib(17);
}

// Creates many small tasks; changed: only down to depth 8.
static int small(int n, int depth)
{
    if (n < 2) {
        return n;
    }
    if (is_changed && depth > 8) {
        return small(n - 1, depth + 1) + small(n - 2, depth + 1);
    }
    int left, right;
#pragma omp task shared(left)
    left = small(n - 1, depth + 1);
#pragma omp task shared(right)
    right = small(n - 2, depth + 1);
#pragma omp taskwait
    return left + right;
}

static void run_small(void)
{
#pragma omp parallel
#pragma omp single
    sink = small(24, 0);
}

static void sort(int *values, int n)
{
    if (n <= 2000) {
        for (int i = 1; i < n; i++) {
            for (int k = i; k > 0 && values[k - 1] > values[k]; k--) {
                int swapped = values[k];
                values[k] = values[k - 1];
                values[k - 1] = swapped;
            }
        }
        return;
    }
    int *merged = malloc((size_t)n * sizeof *merged);
#pragma omp task
    sort(values, n / 2);
#pragma omp task
    sort(values + n / 2, n - n / 2);
#pragma omp taskwait
    for (int i = 0, a = 0, b = n / 2; i < n; i++) {
        merged[i] = b == n || (a < n / 2 && values[a] <= values[b]) ? values[a++] : values[b++];
    }
    memcpy(values, merged, (size_t)n * sizeof *merged);
    free(merged);
}

static void run_sort(void)
{
    enum { N = 400000 };
    int *values = malloc(N * sizeof *values);
    for (int i = 0; i < N; i++) {
        values[i] = (int)((i * 2654435761u) >> 8);
    }
#pragma omp parallel
#pragma omp single
    sort(values, N);
    free(values);
}

static void run_wavefront(void)
{
    enum { N = 24 };
    char done[N + 1][N + 1];
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= N; i++) {
        for (int k = 1; k <= N; k++) {
#pragma omp task depend(in : done[i - 1][k], done[i][k - 1]) depend(out : done[i][k])
            spin(200);
        }
    }
    (void)done;
}

static void run_loop(void)
{
    omp_set_schedule(is_changed ? omp_sched_dynamic : omp_sched_static, is_changed ? 1 : 0);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 200; i++) {
        spin(8 * i);
    }
}

static void run_locks(void)
{
#pragma omp parallel for
    for (int i = 0; i < 400; i++) {
        spin(100);
#pragma omp critical
        spin(is_changed ? 75 : 150);
    }
}

static void run_creator(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 400; i++) {
        spin(150);
#pragma omp task
        spin(100);
    }
}

static void run_barrier(void)
{
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
        spin((i + omp_get_thread_num()) % 2 ? 800 : 200);
        if (!is_changed) {
#pragma omp barrier
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kernels[] = {{"fib", run_fib},         {"sort", run_sort},   {"wavefront", run_wavefront},
                   {"loop", run_loop},       {"locks", run_locks}, {"creator", run_creator},
                   {"barrier", run_barrier}, {"small", run_small}, {NULL, NULL}};
    is_changed = argc > 2 && strcmp(argv[2], "changed") == 0;
    for (int i = 0; argc > 1 && kernels[i].name; i++) {
        if (strcmp(kernels[i].name, argv[1]) == 0) {
            double begin = omp_get_wtime();
            kernels[i].run();
            printf("seconds=%.6f\n", omp_get_wtime() - begin);
            return 0;
        }
    }
    fprintf(stderr, "usage: predict KERNEL [changed]\n");
    return 2;
}
