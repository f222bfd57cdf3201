// An untied task forced to migrate: it goes on only after its thread has been taken by another task.
// The parts before and after a scheduling point keep their own constructs open across it.
//
// args: 12
// repaired: yes
// expect: completed == tasks
// expect[clang and T > 1]: migrations >= 1
// expect: enters('taskwait') >= out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 12);
    atomic_int n_moved = 0;
    int n_threads = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        atomic_int left = 0;
#pragma omp task untied shared(left, n_moved)
        {
            for (int k = 0; k < 8; k++) {
                int before = omp_get_thread_num();
#pragma omp task shared(left)
                {
                    work(2000);
                    atomic_fetch_add(&left, 1);
                }
#pragma omp taskwait
                work(2000);
                if (omp_get_thread_num() != before) {
                    atomic_fetch_add(&n_moved, 1);
                }
            }
        }
        for (int k = 0; k < n_threads; k++) {
#pragma omp task
            work(20000);
        }
#pragma omp taskwait
        CHECK(left == 8);
    }
    printf("rounds %d\n", n);
    return 0;
}
