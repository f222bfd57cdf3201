// A detached task that fulfils its own event.
#include "play.h"

int main(void)
{
    omp_event_handle_t event;
    int x = 0;
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task detach(event) depend(inout : x) // @detached
        omp_fulfill_event(event);
#pragma omp task depend(inout : x) // @successor
        work(1);
    }
    return 0;
}
