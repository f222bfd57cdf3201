// A recursion creates a task for each call; NUMBER is the depth down to which it creates tasks.
#include "../pair.h"

enum { N = 24 };

static long fib(int n, int depth)
{
    long a, b;
    if (n < 2) {
        return n;
    }
    if (depth == 0) {
        return fib(n - 1, 0) + fib(n - 2, 0);
    }
#pragma omp task shared(a) // HERE
    a = fib(n - 1, depth - 1);
#pragma omp task shared(b) // HERE
    b = fib(n - 2, depth - 1);
#pragma omp taskwait
    return a + b;
}

static void start(int depth)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 4; i++) {
        fib(sized(N, N - 5), depth);
    }
}

void before(void)
{
    start(number > 0 ? (int)number : N);
}

void after(void)
{
    start(number > 0 ? (int)number : 5);
}
