// A league of one team: the runtime then passes stale data to the tool. Regions before, between and
// after. (libomp 14 and 16 hang here with more threads.)
//
// threads[libomp < 19]: 1
// expect: enters('teams') == 3
// expect: tasks == 3 * (T + 1)
#include "check.h"

int main(void)
{
    atomic_int sum = 0;
    int n_threads = omp_get_max_threads(); // libomp 14 and 16 change it at such a teams construct
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(n_threads)
        {
#pragma omp task
            atomic_fetch_add(&sum, 1);
        }
#pragma omp teams num_teams(1)
        {
#pragma omp parallel num_threads(2)
            {
#pragma omp single
                {
#pragma omp task
                    atomic_fetch_add(&sum, 100);
                }
            }
        }
    }
    CHECK(sum == 3 * (n_threads + 100));
    printf("teams 3\n");
    return 0;
}
