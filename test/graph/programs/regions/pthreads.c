// Two threads that the program creates, each of which forks a region.
#include "play.h"
#include <pthread.h>

static void *region(void *unused)
{
#pragma omp parallel num_threads(2) // @parallel
#pragma omp single                  // @single
    {
#pragma omp task // @task
        work(1);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    CHECK(omp_get_max_threads() > 0); // the runtime begins here
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, region, NULL) == 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
