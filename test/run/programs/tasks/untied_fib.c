// Untied tasks: libomp splits them at every scheduling point, and another thread may continue them.
//
// args: 11
// repaired: yes
// expect: tasks == out('tasks')
// expect: completed == tasks
// expect[clang]: flags('untied') == tasks
#include "check.h"

static long fib(int n)
{
    long a, b;
    if (n < 2) {
#pragma omp taskyield
        return n;
    }
#pragma omp task untied shared(a)
    {
        a = fib(n - 1);
#pragma omp taskyield
    }
#pragma omp task untied shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 11);
    long f[64] = {0, 1};
    for (int i = 2; i <= n + 1; i++) {
        f[i] = f[i - 1] + f[i - 2];
    }
    long result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(n);

    CHECK(result == f[n]);
    printf("fib %ld\ntasks %ld\n", result, 2 * (f[n + 1] - 1));
    return 0;
}
