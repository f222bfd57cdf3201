// A taskgroup cancelled before two of its tasks began, while the team's other member is busy. Needs
// 2 threads.
#include "play.h"

int main(void)
{
    atomic_int is_over = 0;
    CHECK(omp_get_cancellation());
#pragma omp parallel num_threads(2) // @parallel
    {
#pragma omp masked // @masked
        {
#pragma omp taskgroup // @group
            {
#pragma omp task // @waiting
                CHECK(!"cancelled");
#pragma omp task // @waiting
                CHECK(!"cancelled");
#pragma omp task if (0) // @cancelling
                {
#pragma omp cancel taskgroup
                    CHECK(!"cancelled");
                }
            }
            atomic_store(&is_over, 1);
        }
        wait_until(&is_over, 1);
    }
    return 0;
}
