// A pthread that has used OpenMP is still alive, in a region of its own, when main returns.
//
// unfinished: constructs
// exit: 4
// expect: forks >= 2
// expect: enters('initial task') == 2
#include "check.h"
#include <pthread.h>
#include <unistd.h>

static atomic_int inside;

static void *stay(void *unused)
{
#pragma omp parallel num_threads(1)
    {
        atomic_store(&inside, 1);
        pause();
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    atomic_int members = 0;
#pragma omp parallel
    atomic_fetch_add(&members, 1);
    CHECK(pthread_create(&thread, NULL, stay, NULL) == 0);
    wait_until(&inside, 1);
    CHECK(members == omp_get_max_threads());
    printf("members ok\n");
    return 4;
}
