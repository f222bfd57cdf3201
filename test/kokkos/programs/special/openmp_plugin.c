// A library like plugin.cpp, but with OpenMP only.
#include <stdio.h>

void run_plugin(int argc, char **argv)
{
    int n = 0;
#pragma omp parallel for reduction(+ : n)
    for (int i = 0; i < 100; i++) {
        n++;
    }
    printf("%d\n", n);
}
