// A static loop cancelled by one iteration; the others notice at a cancellation point.
//
// env: OMP_CANCELLATION=true
// expect[clang]: enters('for') == T
// expect: enters('cancel') >= 1
#include "check.h"

int main(void)
{
    int n_found = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < 100; i++) {
            if (i == 0) {
#pragma omp atomic
                n_found++;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp barrier
    }
    CHECK(n_found == 1);
    printf("found %d\n", n_found);
    return 0;
}
