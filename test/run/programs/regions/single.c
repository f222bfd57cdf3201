// single with its barrier, with nowait, and with copyprivate (which is not a single construct in
// gcc's code).
//
// args: 5
// grow: 16
//
// expect: enters('single', '') == (3 if clang else 2) * out('rounds')
// expect: enters('single', 'other') == (3 if clang else 2) * (T - 1) * out('rounds')
// expect: regions('single') <= 6
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    atomic_int count = 0;
#pragma omp parallel
    {
        int value;
        for (int round = 0; round < n; round++) {
#pragma omp single
            atomic_fetch_add(&count, 1);
#pragma omp single nowait
            atomic_fetch_add(&count, 1);
#pragma omp single copyprivate(value)
            value = round * 7;
            CHECK(value == round * 7);
        }
    }
    CHECK(count == 2 * n);
    printf("rounds %d\n", n);
    return 0;
}
