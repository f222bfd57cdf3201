// A detached task, whose event another task fulfils: `early`, before its body ends, or `late`,
// after its end. Needs 2 threads for `early`.
#include "play.h"

int main(int argc, char **argv)
{
    int is_early = argc > 1 && strcmp(argv[1], "early") == 0;
    int is_late = argc > 1 && strcmp(argv[1], "late") == 0;
    int x = 0;
    omp_event_handle_t event;
    atomic_int body_ended = 0, fulfilling = 0, fulfilled = 0;
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task detach(event) depend(inout : x) // @detached
        {
            if (is_early) {
                wait_until(&fulfilled, 1);
            }
            atomic_store(&body_ended, 1);
        }
#pragma omp task firstprivate(event) // @fulfiller
        {
            if (is_late) {
                wait_until(&body_ended, 1);
                work(20000); // by now its thread has left the task
            }
            atomic_store(&fulfilling, 1);
            omp_fulfill_event(event);
            atomic_store(&fulfilled, 1);
        }
#pragma omp task depend(inout : x) // @successor
        CHECK(fulfilling && body_ended);
    }
    return 0;
}
