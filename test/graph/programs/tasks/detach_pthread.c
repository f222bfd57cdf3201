// A detached task, whose event is fulfilled by a thread that OpenMP does not know.
#include "play.h"
#include <pthread.h>

static omp_event_handle_t event;
static atomic_int body_ended;

static void *fulfil(void *unused)
{
    wait_until(&body_ended, 1);
    work(20000); // by now its thread has left the task
    omp_fulfill_event(event);
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fulfil, NULL) == 0);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
        omp_event_handle_t handle;
#pragma omp task detach(handle) // @detached
        {
            event = handle;
            atomic_store(&body_ended, 1);
        }
    }
    pthread_join(thread, NULL);
    return 0;
}
