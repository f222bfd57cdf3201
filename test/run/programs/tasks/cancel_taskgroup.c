// A taskgroup cancelled while some of its tasks run and others wait. The waiting tasks never run,
// and still end.
//
// env: OMP_CANCELLATION=true
//
// expect: tasks == 41
// expect: completed == tasks
// expect: ran + never_ran == tasks
// expect[T > 1]: never_ran >= 40 - (T - 1)
// expect: cancelled >= 1
// expect: enters('cancel') >= 1
// expect: enters('taskgroup') == 1
#include "check.h"

int main(void)
{
    atomic_int began = 0, all_created = 0;
    CHECK(omp_get_cancellation());
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
        {
            atomic_store(&began, 1);
            if (omp_get_num_threads() > 1) {
                wait_until(&all_created, 1);
            }
#pragma omp cancel taskgroup
            CHECK(!"cancelled");
        }
        wait_until(&began, 1);
        for (int i = 0; i < 40; i++) {
#pragma omp task
            for (;;) {
                sched_yield();
#pragma omp cancellation point taskgroup
            }
        }
        atomic_store(&all_created, 1);
    }
    printf("cancelled\n");
    return 0;
}
