// Functions whose last calls become jumps when optimised, one after the other: the runtime returns
// to the caller of the first.
#include <stdio.h>

int global;

__attribute__((noinline)) void leaf(void)
{
    global++;
#pragma omp taskwait // HERE taskwait leaf
}

__attribute__((noinline)) void middle(void)
{
    global++;
    leaf();
}

__attribute__((noinline)) void outer(void)
{
    global += 2;
    middle();
}

__attribute__((noinline)) void other(void)
{
    global += 3;
#pragma omp taskwait // HERE taskwait other
}

// The address in `main` does not show which of two functions was executed.
__attribute__((noinline)) void either(int n)
{
    global += 4;
    if (n % 2) {
        leaf();
    } else {
        other();
    }
}

int main(int argc, char **argv)
{
    outer();
    either(argc);
    either(argc + 1);
    printf("%d\n", global > 0);
    return 0;
}
