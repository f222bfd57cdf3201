// Regions of changing size: some workers are not in every region, and their ends are reported late.
//
// args: 3
// threads: 4
// grow: 12
//
// expect: forks == 5 * out('rounds')
// expect: team_begins == (4 + 2 + 3 + 1 + 4) * out('rounds')
//
// expect: tasks == (4 + 2 + 3 + 1 + 4) * out('rounds')
// expect: team_sizes() == {1, 2, 3, 4}
#include "check.h"

int main(int argc, char **argv)
{
    static const int sizes[] = {4, 2, 3, 1, 4};
    int n = (int)argument(argc, argv, 1, 3);
    atomic_int sum = 0;
    for (int i = 0; i < 5 * n; i++) {
#pragma omp parallel num_threads(sizes[i % 5])
        {
            CHECK(omp_get_num_threads() == sizes[i % 5]);
#pragma omp task
            atomic_fetch_add(&sum, 1);
        }
    }
    CHECK(sum == 14 * n);
    printf("rounds %d\n", n);
    return 0;
}
