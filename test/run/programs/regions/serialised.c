// Regions of one thread: by num_threads(1) and by if(0); with tasks, which are undeferred then.
//
// args: 5
// grow: 16
// expect: forks == 2 * out('rounds')
// expect: team_begins == 2 * out('rounds')
// expect: tasks == 3 * out('rounds')
// expect: enters('parallel') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int sum = 0;
    for (int i = 0; i < n; i++) {
#pragma omp parallel num_threads(1)
        {
            CHECK(omp_get_num_threads() == 1);
#pragma omp task shared(sum)
            sum++;
        }
#pragma omp parallel if (0)
        {
            CHECK(!omp_in_parallel());
#pragma omp task shared(sum)
            sum++;
        }
        // Outside of any region.
#pragma omp task shared(sum)
        sum++;
    }
    CHECK(sum == 3 * n);
    printf("sum %d\nrounds %d\n", sum, n);
    return 0;
}
