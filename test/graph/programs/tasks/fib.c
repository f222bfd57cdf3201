// Fibonacci without a cut-off: two tasks and a taskwait for every n > 1.
#include "play.h"

static long fib(int n)
{
    long a, b;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a) // @first
    a = fib(n - 1);
    created();
#pragma omp task shared(b) // @second
    b = fib(n - 2);
    created();
#pragma omp taskwait // @wait
    body();
    return a + b;
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 5);
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    fib(n);
    return 0;
}
