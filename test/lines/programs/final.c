// The first construct of a task that the primary thread executes in a region's final barrier.
#include <stdio.h>

static int is_done, sum;

static void end(void)
{
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
}

// The creator does not execute the task, because it never reaches a task scheduling point.
static void await(void)
{
    while (!__atomic_exchange_n(&is_done, 0, __ATOMIC_ACQUIRE)) {
    }
}

static void with_taskwait(void)
{
#pragma omp task // HERE task with_taskwait
    {
#pragma omp taskwait // HERE taskwait with_taskwait
        end();
    }
    await();
}

static void with_taskgroup(void)
{
#pragma omp task // HERE task with_taskgroup
    {
#pragma omp taskgroup // HERE taskgroup with_taskgroup
        end();
    }
    await();
}

static void with_critical(void)
{
#pragma omp task // HERE task with_critical
    {
#pragma omp critical // HERE critical with_critical
        sum++;
        end();
    }
    await();
}

static void with_task(void)
{
#pragma omp task // HERE task with_task
    {
#pragma omp task // HERE task with_task
        sum++;
        end();
    }
    await();
}

int main(void)
{
    static void (*const functions[])(void) = {with_taskwait, with_taskgroup, with_critical,
                                              with_task};
    for (int i = 0; i < 4; i++) {
#pragma omp parallel num_threads(2) // HERE parallel main
#pragma omp masked filter(1)        // HERE masked:clang main
        functions[i]();
    }
    printf("%d\n", sum);
    return 0;
}
