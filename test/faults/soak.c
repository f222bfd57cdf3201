// Creates tasks as fast as possible for some time, for scripts/soak.
//
// usage: soak SECONDS
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 20 }; // about 22 000 tasks a round

// Returns the number of tasks: one for each call of the Fibonacci function except the first.
static long fib(int n)
{
    if (n < 2) {
        return 0;
    }
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b + 2;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int n_arguments, char **arguments)
{
    double end = now() + (n_arguments > 1 ? atof(arguments[1]) : 1);
    long n_rounds = 0, n_tasks = 0;
    for (; now() < end; n_rounds++) {
#pragma omp parallel
#pragma omp single
        n_tasks += fib(N);
    }
    printf("%ld rounds, %ld tasks\n", n_rounds, n_tasks);
    return 0;
}
