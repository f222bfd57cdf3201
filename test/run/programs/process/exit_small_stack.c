// exit() on a thread with the smallest possible stack: closing the archive must not need a larger
// one.
//
// exit: 3
// unfinished: constructs
// expect: forks == 1
// expect: tasks == 200
// expect: completed == tasks
#include "check.h"
#include <limits.h>
#include <pthread.h>

static void *leave(void *user)
{
    (void)user;
    exit(3);
}

int main(void)
{
    atomic_int sum = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(sum)
        atomic_fetch_add(&sum, 1);
    }
    CHECK(sum == 200);
    printf("leaving\n");
    pthread_attr_t small;
    CHECK(pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, &small, leave, NULL) == 0);
    pthread_join(thread, NULL);
    return 0;
}
