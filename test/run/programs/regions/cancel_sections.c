// Sections cancelled by one of them.
//
// env: OMP_CANCELLATION=true
// expect[clang]: enters('sections') == T
// expect: enters('cancel') >= 1
#include "check.h"

int main(void)
{
    atomic_int n = 0, n_after = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
                atomic_fetch_add(&n, 1);
#pragma omp cancel sections
                atomic_fetch_add(&n, 100);
            }
#pragma omp section
            {
#pragma omp cancellation point sections
                atomic_fetch_add(&n_after, 1);
            }
        }
#pragma omp single
        atomic_fetch_add(&n_after, 10);
    }
    CHECK(n == 1 && n_after >= 10);
    printf("cancelled\n");
    return 0;
}
