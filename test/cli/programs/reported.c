// A program with one known limit: reported KIND [SIZE], where KIND is even, chain, imbalance,
// serial, small, recursion, lock, copies, memory, ordered.
//
// Where one thread has to wait for another, the other continues only when the first is known to
// wait. So the limit exists however the system schedules the two threads.
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int size; // number of small tasks, or depth of the recursion; 0: a few

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void spin(double seconds)
{
    double end = cpu_seconds() + seconds;
    while (cpu_seconds() < end) {
    }
}

static void await(atomic_int *count, int least)
{
    while (atomic_load(count) < least) {
        nanosleep(&(struct timespec){0, 100000}, NULL);
    }
}

// Follows a construct: otherwise the compiler turns the call of the runtime into a jump, which
// hides the line.
static void finish(void)
{
    __asm__ volatile("");
}

static void even(void)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 8; i++) {
        spin(0.02);
    }
    finish();
}

static void chain(void)
{
    char x = 0;
    atomic_int n_members = 0;
#pragma omp parallel num_threads(2)
    {
        atomic_fetch_add(&n_members, 1);
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x)
            {
                await(&n_members, 2);
                spin(0.02);
            }
        }
    }
    finish();
}

static void imbalance(void)
{
    atomic_int n_short = 0;
#pragma omp parallel for schedule(static) num_threads(2) // an uneven loop
    for (int i = 0; i < 8; i++) {
        await(&n_short, i == 0 ? 4 : 0);
        spin(i < 4 ? 0.05 : 0.001);
        atomic_fetch_add(&n_short, i >= 4);
    }
    finish();
}

static void serial(void)
{
    for (int i = 0; i < 10; i++) {
        spin(0.02);
#pragma omp parallel
        spin(0.002);
    }
    finish();
}

static void small(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < (size ? size : 20000); i++) {
#pragma omp task
        __asm__ volatile("");
    }
    finish();
}

static int fib(int n)
{
    int a = 0, b = 0;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void recursion(void)
{
#pragma omp parallel
#pragma omp single
    fib(size ? size : 12);
    finish();
}

enum { TURNS = 10 };
static atomic_int n_tries[2], n_turns[2];

// Holds a turn until the other thread tries to begin its next one.
static void hold(int own)
{
    if (n_turns[!own] < TURNS) {
        await(&n_tries[!own], n_turns[!own] + 1);
    }
    spin(0.01);
    n_turns[own]++;
}

static void lock(void)
{
#pragma omp parallel num_threads(2)
    for (int i = 0; i < TURNS; i++) {
        n_tries[omp_get_thread_num()]++;
#pragma omp critical
        hold(omp_get_thread_num());
    }
    finish();
}

#define TASK _Pragma("omp task") spin(0.001);
#define TWO_TASKS TASK TASK

// Has two constructs in the same line, as when a compiler copies a function.
static void copies(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5; i++) {
        TWO_TASKS // here
    }
    finish();
}

// Uses 64 MiB for a moment.
static void memory(void)
{
    size_t n = (size_t)64 << 20;
    volatile char *bytes = malloc(n);
    for (size_t i = 0; bytes && i < n; i += 512) {
        bytes[i] = 1;
    }
    free((void *)bytes);
#pragma omp parallel
    spin(0.001);
    finish();
}

static void ordered(void)
{
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < 10; i++) {
        spin(0.001);
#pragma omp ordered // in order
        spin(0.01);
    }
    finish();
}

static void doacross(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1)
    for (int i = 0; i < 10; i++) {
        spin(0.001);
#pragma omp ordered depend(sink : i - 1)
        spin(0.002);
#pragma omp ordered depend(source)
    }
    finish();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"even", even},           {"chain", chain},      {"imbalance", imbalance},
                 {"serial", serial},       {"small", small},      {"lock", lock},
                 {"recursion", recursion}, {"copies", copies},    {"memory", memory},
                 {"ordered", ordered},     {"doacross", doacross}};
    size = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].run();
            return 0;
        }
    }
    return 1;
}
