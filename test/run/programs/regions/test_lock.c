// Failed attempts to acquire a lock are recorded without an acquisition. Those that follow each
// other closely are one, unless other programs interrupt a thread.
//
// expect[libomp >= 19]: T + 1 <= enters('omp_test_lock') <= 1000 * T
// expect[libomp < 19]: T + 1 + 1 <= enters('omp_set_lock') <= 1000 * T
// expect: acquires == 2
#include "check.h"

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    int n_got = 0;
#pragma omp parallel reduction(+ : n_got)
    for (int i = 0; i < 2000; i++) {
        n_got += omp_test_lock(&lock);
    }
    CHECK(n_got == 0);
    omp_unset_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    printf("tries ok\n");
    return 0;
}
