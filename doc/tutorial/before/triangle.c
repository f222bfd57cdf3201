// Solves triangular systems: row i needs i steps.
#include <math.h>
#include <stdio.h>

enum { N = 1 << 14 };

static double x[N];

int main(void)
{
    double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            x[i] += sqrt(i + j);
        }
        sum += x[i];
    }
    printf("%.4e\n", sum);
}
