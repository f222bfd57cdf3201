// Constructs in functions that the compiler inlines: each line must have its function in the
// source.
#include <stdio.h>

#define INLINED static inline __attribute__((always_inline))

INLINED void add(int *x)
{
#pragma omp task shared(x) // HERE task add
    *x += 1;
#pragma omp taskwait // HERE taskwait add
}

INLINED int sum(int n)
{
    int x = 0;
#pragma omp parallel num_threads(2) // HERE parallel sum
    {
#pragma omp single
        for (int i = 0; i < n; i++) {
            add(&x);
        }
    }
    return x;
}

int main(void)
{
    int result = sum(3);
#pragma omp parallel num_threads(2) // HERE parallel main
    {
#pragma omp single
        add(&result);
    }
    printf("%d\n", result);
    return 0;
}
