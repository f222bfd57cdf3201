// The compilers inline atomic updates: the program must run, and there is nothing to record.
//
// args: 100
// expect: forks == 1
// expect: tasks == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 100);
    long count = 0, last = 0;
    double sum = 0;
#pragma omp parallel
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        count++;
#pragma omp atomic update
        sum += 0.5;
#pragma omp atomic write
        last = n;
    }
    CHECK(count == (long)n * omp_get_max_threads());
    CHECK(sum == 0.5 * (double)count);
    CHECK(last == n);
    printf("rounds %d\n", n);
    return 0;
}
