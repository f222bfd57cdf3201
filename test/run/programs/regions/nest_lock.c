// A nestable lock acquired at three levels: this counts as one acquisition and one release.
//
// args: 6
// expect: acquires == (2 * T) * out('rounds')
// expect: locks == 1
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 6);
    omp_nest_lock_t lock;
    long count = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < n; i++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        CHECK(omp_test_nest_lock(&lock) == 3);
        count++;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        count++;
        omp_unset_nest_lock(&lock);
    }
    CHECK(count == 2L * n * omp_get_max_threads());
    omp_destroy_nest_lock(&lock);
    printf("rounds %d\n", n);
    return 0;
}
