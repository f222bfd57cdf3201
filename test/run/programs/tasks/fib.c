// Recursive Fibonacci without a cut-off: every call with n > 1 creates two tasks and waits for
// them.
//
// args: 10
// grow: 13
//
// expect: tasks == out('tasks')
// expect: ran == tasks
// expect: enters('taskwait') == out('taskwaits')
// expect: enters('task') == tasks
// expect: forks == 1
//
// expect: team_begins == T
// expect: regions('task') == 2
// expect: regions('taskwait') == 1
// expect: enters('single', '') == 1
// expect[clang]: enters('single', 'other') == T - 1
#include "check.h"

static long fib(int n)
{
    long a, b;
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

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 12);
    long f[64] = {0, 1};
    for (int i = 2; i <= n + 1; i++) {
        f[i] = f[i - 1] + f[i - 2];
    }
    long result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(n);

    CHECK(result == f[n]);
    printf("fib %ld\ntasks %ld\ntaskwaits %ld\n", result, 2 * (f[n + 1] - 1), f[n + 1] - 1);
    return 0;
}
