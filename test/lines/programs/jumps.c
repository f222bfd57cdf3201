// The last calls of f, g and h become jumps when optimised. The runtime then returns to their
// callers.
#include <stdio.h>

int global;

__attribute__((noinline)) void f(void)
{
#pragma omp parallel // HERE parallel f
    __atomic_fetch_add(&global, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void g(void)
{
#pragma omp task // HERE task g
    __atomic_fetch_add(&global, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void h(void)
{
    global++;
#pragma omp taskwait // HERE taskwait h
}

int main(void)
{
    f();
    g();
    h();
    printf("%d\n", global > 0);
    return 0;
}
