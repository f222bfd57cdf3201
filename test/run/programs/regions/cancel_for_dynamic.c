// A cancelled dynamic loop: the runtime never reports the loop's end, and the tool must add the
// end. (In a team of one, libomp fails on a cancelled dynamic loop.)
//
// args: 5
// threads: 2 4
// env: OMP_CANCELLATION=true
// repaired: yes
// expect: enters('for') == T * out('rounds')
// expect: enters('cancel') >= out('rounds')
// expect: enters('single', '') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int n_found = 0, n_single = 0;
#pragma omp parallel
    for (int round = 0; round < n; round++) {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 100; i++) {
            if (i == 3) {
#pragma omp atomic
                n_found++;
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp single
        n_single++;
    }
    CHECK(n_found == n && n_single == n);
    printf("rounds %d\n", n);
    return 0;
}
