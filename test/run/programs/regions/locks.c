// Two simple locks, each owned by one thread at a time, the second acquired while the first is
// owned.
//
// args: 20
// grow: 80
//
// expect: acquires == 2 * T * out('rounds')
// expect: enters('omp_set_lock') == 2 * T * out('rounds')
// expect: enters('omp_unset_lock') == 2 * T * out('rounds')
// expect: enters('omp_init_lock') == 2
// expect: enters('omp_destroy_lock') == 2
// expect: locks == 2
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 20);
    omp_lock_t a, b;
    long count = 0, other = 0;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel
    for (int i = 0; i < n; i++) {
        omp_set_lock(&a);
        count++;
        omp_set_lock(&b);
        other++;
        omp_unset_lock(&b);
        omp_unset_lock(&a);
    }
    omp_destroy_lock(&b);
    omp_destroy_lock(&a);
    CHECK(count == (long)n * omp_get_max_threads());
    CHECK(other == count);
    printf("rounds %d\n", n);
    return 0;
}
