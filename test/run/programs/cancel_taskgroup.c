// A taskgroup cancelled by its first task: tasks not begun by then never run, and still end.
//
// env: OMP_CANCELLATION=true
// expect: tasks == 41
// expect: completed == tasks
// expect: ran + never_ran == tasks
// expect[T > 1]: never_ran > 0
// expect: enters('cancel') >= 1
// expect: enters('taskgroup') == 1
#include "check.h"

int main(void)
{
    atomic_int n_after = 0;
    CHECK(omp_get_cancellation());
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp task
        {
#pragma omp cancel taskgroup
            atomic_fetch_add(&n_after, 1000);
        }
        for (int i = 0; i < 40; i++) {
#pragma omp task
            {
                work(1000);
                atomic_fetch_add(&n_after, 1);
            }
        }
    }
    CHECK(n_after <= 40);
    printf("cancelled\n");
    return 0;
}
