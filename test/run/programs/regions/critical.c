// Critical sections, named and unnamed, nested.
//
// args: 20
// grow: 80
// expect: enters('critical') == 2 * T * out('rounds')
// expect: enters('critical sblock') == 2 * T * out('rounds')
// expect: acquires == 2 * T * out('rounds')
// expect: locks == 2
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 20);
    long count = 0, other = 0;
#pragma omp parallel
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            count++;
#pragma omp critical(inner)
            other++;
        }
    }
    CHECK(count == (long)n * omp_get_max_threads());
    CHECK(other == count);
    printf("rounds %d\n", n);
    return 0;
}
