// Taskgroups and taskloops in tasks that run at a region's end: for these, LLVM's runtime reports
// the line at which GCC's code forked the region.
#include <stdio.h>

static int n_started;

__attribute__((noinline)) static int in_task(int *x)
{
    // each thread has one of the two tasks
    __atomic_fetch_add(&n_started, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&n_started, __ATOMIC_RELAXED) < 2) {
    }
#pragma omp taskloop num_tasks(2) // HERE taskloop,task,taskgroup in_task
    for (int i = 0; i < 4; i++) {
        x[i]++;
    }
    return x[0] + x[3];
}

int main(void)
{
    int x[2][4] = {{0}}, sums[2];
#pragma omp parallel num_threads(2)
#pragma omp masked
    for (int k = 0; k < 2; k++) {
#pragma omp task shared(x, sums) // HERE task main
        sums[k] = in_task(x[k]);
    }
    printf("%d\n", sums[0] + sums[1]);
    return 0;
}
