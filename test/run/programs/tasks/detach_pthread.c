// A thread that OpenMP does not know fulfils the event.
//
// threads[libomp < 19]: 2 4
// args: 4
// expect: tasks == out('rounds')
// expect: completed == tasks
// expect: param('task detached') + param('task fulfilled') == out('rounds')
// expect: unknown_threads >= 1
#include "check.h"
#include <pthread.h>

static omp_event_handle_t event;
static atomic_int body_ended;

static void *fulfil(void *unused)
{
    wait_until(&body_ended, 1);
    work(200000);
    omp_fulfill_event(event);
    return unused;
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 4);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        pthread_t thread;
        omp_event_handle_t created;
        atomic_store(&body_ended, 0);
        // The task itself stores the event: it may begin before its construct has ended.
#pragma omp task detach(created)
        {
            event = created;
            atomic_store(&body_ended, 1);
        }
        CHECK(pthread_create(&thread, NULL, fulfil, NULL) == 0);
#pragma omp taskwait
        pthread_join(thread, NULL);
    }
    printf("rounds %d\n", n);
    return 0;
}
