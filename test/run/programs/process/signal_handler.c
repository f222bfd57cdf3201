// A timer interrupts the program while it records: errno is preserved, and the handler gets all
// signals.
//
// args: 400
// expect: tasks == 10 * out('rounds')
// expect: completed == tasks
#include "check.h"
#include <errno.h>
#include <signal.h>
#include <sys/time.h>

static atomic_int n_ticks;

static void on_tick(int signal)
{
    (void)signal;
    atomic_fetch_add(&n_ticks, 1);
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 400);
    struct itimerval every_millisecond = {{0, 1000}, {0, 1000}};
    signal(SIGALRM, on_tick);
    CHECK(setitimer(ITIMER_REAL, &every_millisecond, NULL) == 0);
    atomic_int sum = 0;
    for (int i = 0; i < n || atomic_load(&n_ticks) == 0; i++) {
        int before = atomic_load(&sum);
#pragma omp parallel
#pragma omp single
        for (int k = 0; k < 10 && i < n; k++) {
            errno = 42;
#pragma omp task shared(sum)
            atomic_fetch_add(&sum, 1);
            CHECK(errno == 42);
        }
        CHECK(i >= n || sum == before + 10);
    }
    CHECK(sum == 10 * n);
    printf("rounds %d\n", n);
    return 0;
}
