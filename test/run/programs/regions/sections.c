// Sections, each of which is executed once, by any thread.
//
// args: 5
// grow: 16
// expect[clang]: enters('sections') == T * out('rounds')
// expect[clang]: regions('sections') == 1
// expect[gcc]: enters('for') == T * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    atomic_int a = 0, b = 0, c = 0;
#pragma omp parallel
    for (int round = 0; round < n; round++) {
#pragma omp sections
        {
#pragma omp section
            atomic_fetch_add(&a, 1);
#pragma omp section
            atomic_fetch_add(&b, 1);
#pragma omp section
            atomic_fetch_add(&c, 1);
        }
    }
    CHECK(a == n && b == n && c == n);
    printf("rounds %d\n", n);
    return 0;
}
