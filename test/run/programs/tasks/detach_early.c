// A detachable task whose event is fulfilled in its own body ends with the body.
//
// threads[libomp < 19]: 2 4
// args: 6
// expect: tasks == out('tasks')
// expect: completed == tasks
// expect: param('task fulfilled') == tasks
// expect: param('task detached') == 0
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 6);
    atomic_int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event)
        {
            omp_fulfill_event(event);
            work(100);
            atomic_fetch_add(&count, 1);
        }
#pragma omp taskwait
        CHECK(count == i + 1);
    }
    printf("tasks %d\n", n);
    return 0;
}
