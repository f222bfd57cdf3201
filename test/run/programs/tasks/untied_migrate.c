// An untied task that runs until another thread has resumed it at a scheduling point, with a
// construct open. (GCC's code runs as if the task were tied.)
//
// args: 12
// repaired: yes
// expect: completed == tasks
// expect[clang and T > 1]: migrations >= 1
// expect: enters('taskwait') >= out('rounds')
#include "check.h"

#ifdef __clang__
enum { MAX_PARTS = 20000 };
#else
enum { MAX_PARTS = 8 };
#endif

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 12);
    atomic_int n_moved = 0;
    int max_parts = omp_get_max_threads() > 1 ? MAX_PARTS : 8;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        atomic_int n_done = 0, n_created = 0;
#pragma omp task untied shared(n_done, n_created, n_moved)
        {
            for (int k = 0; k < 8 || (n_moved == 0 && k < max_parts); k++) {
                int before = omp_get_thread_num();
                n_created++;
#pragma omp task shared(n_done)
                atomic_fetch_add(&n_done, 1);
                sched_yield();
#pragma omp taskwait
                if (omp_get_thread_num() != before) {
                    atomic_fetch_add(&n_moved, 1);
                }
            }
        }
#pragma omp taskwait
        CHECK(n_done == n_created);
    }
    printf("rounds %d\n", n);
    return 0;
}
