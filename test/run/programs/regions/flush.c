// A flag passed from thread to thread by atomics and flush.
//
// args: 10
// expect[clang]: enters('flush') == 2 * out('rounds') * T
// expect[gcc]: enters('flush') == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 10);
    long sum = 0;
#pragma omp parallel
    for (int i = 0; i < n; i++) {
#pragma omp flush
#pragma omp atomic
        sum++;
#pragma omp flush(sum)
    }
    CHECK(sum == (long)n * omp_get_max_threads());
    printf("rounds %d\n", n);
    return 0;
}
