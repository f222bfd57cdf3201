// More pending tasks than a queue has room for: from the 257th on, the creator executes each task
// at once.
//
// args: 600
// grow: 2400
// expect: tasks == out('tasks')
// expect: ran == tasks
// expect: completed == tasks
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 700);
    atomic_int sum = 0;
    atomic_int all_created = 0;
    int n_threads = omp_get_max_threads();
#pragma omp parallel
    {
        // The other threads stay away from the queue until it has overflowed.
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < n; i++) {
#pragma omp task shared(sum)
                atomic_fetch_add(&sum, 1);
            }
            CHECK(n_threads == 1 || sum >= n - 256);
            atomic_store(&all_created, 1);
        } else {
            wait_until(&all_created, 1);
        }
    }
    CHECK(sum == n);
    printf("tasks %d\n", n);
    return 0;
}
