// Constructs in functions that are not inlined and return a value, so that no call becomes a jump.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))

APART static int fib(int n)
{
    int a, b;
    if (n < 2) {
        return n;
    }
#pragma omp task shared(a) firstprivate(n) // HERE task fib
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n) // HERE task fib
    {
        b = fib(n - 2);
#pragma omp task shared(b) // HERE task fib
        b += 0;
#pragma omp taskwait // HERE taskwait fib
        b += 1;
    }
#pragma omp taskwait // HERE taskwait fib
    return a + b;
}

APART static int loops(int *x)
{
#pragma omp taskloop grainsize(2) // HERE taskloop,task,taskgroup loops
    for (int i = 0; i < 8; i++) {
        x[i]++;
    }
#pragma omp taskgroup // HERE taskgroup loops
    {
#pragma omp taskloop nogroup num_tasks(3)
        for (int i = 0; i < 8; i++) {
            x[i]++;
        }
    }
#pragma omp taskloop nogroup num_tasks(3)
    for (int i = 0; i < 8; i++) {
        x[i]++;
    }
    return x[0] + x[7];
}

// In clang's code the taskgroup is on the last line of the directive, and the body of the tasks on
// the first.
APART static int long_directive(int *x)
{
#pragma omp taskloop num_tasks(3) default(none) shared(x) untied priority(2)                       \
    final(0) if (taskloop : 1)                                                                     \
    collapse(1) // HERE taskloop:clang,task:clang,taskgroup:clang long_directive
    for (int i = 0; i < 8; i++) {
        x[i]++;
    }
    return x[0] + x[7];
}

// More chunks than the runtime creates by itself: tasks create them.
APART static int split_loop(int *x)
{
#pragma omp taskloop grainsize(1) // HERE taskloop,task,taskgroup split_loop
    for (int i = 0; i < 100; i++) {
        __atomic_fetch_add(x, 1, __ATOMIC_RELAXED);
    }
    return x[0];
}

int main(int argc, char **argv)
{
    int x[8] = {0}, y = 0, sum = 0;
    if (argc > 1 && strcmp(argv[1], "unlink") == 0) {
        unlink(argv[0]);
    }
#pragma omp parallel num_threads(2) // HERE parallel main
    {
#pragma omp masked // HERE masked:clang main
        {
            sum = fib(6);
            sum += loops(x);
            sum += long_directive(x);
            sum += split_loop(&y);
        }
#pragma omp barrier // HERE barrier:clang main
        __atomic_fetch_add(&y, 1, __ATOMIC_RELAXED);
    }
    printf("%d\n", sum > 0);
    return 0;
}
