// A detached task ends when another task fulfils its event. A successor and a taskwait wait for
// this end.
//
// threads[libomp < 19]: 2 4
// args: 4
//
// expect: tasks == 3 * out('rounds')
// expect: completed == tasks
// expect: param('task detached') == out('rounds')
// expect: param('task fulfilled') == 0
// expect: param('depend inout') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 4);
    int x = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        omp_event_handle_t event;
        atomic_int body_ended = 0;
        atomic_int fulfilled = 0;
#pragma omp task detach(event) depend(inout : x) shared(body_ended)
        {
            x++;
            atomic_store(&body_ended, 1);
        }
#pragma omp task firstprivate(event) shared(body_ended, fulfilled)
        {
            wait_until(&body_ended, 1);
            work(200000); // by now the body's thread has reported that the task is detached
            atomic_store(&fulfilled, 1);
            omp_fulfill_event(event);
        }
#pragma omp task depend(inout : x) shared(fulfilled)
        {
            CHECK(atomic_load(&fulfilled));
            x += 10;
        }
#pragma omp taskwait
        CHECK(x == 11 * (i + 1));
    }
    printf("rounds %d\n", n);
    return 0;
}
