// Dependences of undeferred tasks and of a wait; prints the resulting order.
#include <stdio.h>

int main(int argc, char **argv)
{
    int x = 0, y = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : x)
        x = 1;
#pragma omp task depend(mutexinoutset : x)
        x += 2;
#pragma omp task depend(mutexinoutset : x) if (argc > 9)
        x += 4;
#pragma omp task depend(in : x) depend(out : y) if (argc > 9)
        y = x;
#pragma omp taskwait depend(in : y)
        printf("%d\n", y);
    }
    return 0;
}
