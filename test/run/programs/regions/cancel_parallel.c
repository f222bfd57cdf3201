// A region cancelled while tasks wait to be executed: they are discarded.
//
// env: OMP_CANCELLATION=true
// expect: completed == tasks
// expect: enters('cancel') >= 1
// expect: forks == 2
// expect: team_begins == 2 * T
#include "check.h"

int main(void)
{
    atomic_int n_ran = 0, n_members = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 20; i++) {
#pragma omp task
                atomic_fetch_add(&n_ran, 1);
            }
#pragma omp cancel parallel
        }
        work(500);
#pragma omp cancellation point parallel
#pragma omp barrier
    }
#pragma omp parallel
    atomic_fetch_add(&n_members, 1);

    CHECK(n_ran <= 20 && n_members == omp_get_max_threads());
    printf("cancelled\n");
    return 0;
}
