// Executes functions with known shares of the time: planted [kill]. `heavy` takes three times as
// long as `light`. kill: the program is killed at its end.
#include <signal.h>
#include <string.h>

#define APART __attribute__((noinline))
#define INSIDE static inline __attribute__((always_inline))

enum { N_TASKS = 300, N_STEPS = 200000 };

APART double heavy(double x)
{
    for (long i = 0; i < 3L * N_STEPS; i++) {
        x = x * 1.0000001 + 1e-9; // heavy's line
    }
    return x;
}

APART double light(double x)
{
    for (long i = 0; i < N_STEPS; i++) {
        x = x * 1.0000001 + 1e-9;
    }
    return x;
}

INSIDE double inner(double x)
{
    for (long i = 0; i < N_STEPS; i++) {
        x = x * 1.0000002 + 1e-9;
    }
    return x;
}

APART double outer(double x)
{
    return inner(x) + 1;
}

static volatile double sink;

int main(int argc, char **argv)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < N_TASKS; i++) {
#pragma omp task
        sink = heavy(i) + light(i) + outer(i);
    }
    if (argc > 1 && strcmp(argv[1], "kill") == 0) {
        raise(SIGKILL);
    }
    return 0;
}
