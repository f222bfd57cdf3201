// A signal handler delays a thread at the start of each region.
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "../pair.h"

static pthread_t worker;

static void delay(int number_of_signal)
{
    (void)number_of_signal;
    rest(15);
}

static void run(int is_late)
{
    signal(SIGUSR1, delay);
#pragma omp parallel
#pragma omp sections
    {
#pragma omp section
        rest(10);
#pragma omp section
        rest(10);
    }
#pragma omp parallel
    if (omp_get_thread_num() == 1) {
        worker = pthread_self();
    }
    for (int r = 0; r < 20; r++) {
        if (is_late) {
            pthread_kill(worker, SIGUSR1);
        }
#pragma omp parallel // HERE
        rest(20);
    }
}

void before(void)
{
    run(1);
}

void after(void)
{
    run(0);
}
