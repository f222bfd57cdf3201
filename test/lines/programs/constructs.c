// Constructs for which GCC's line table has the line of another statement. Built as C and C++.
#include <stdio.h>

#define APART __attribute__((noinline))

static int a[100];

APART static void add(int *x)
{
    __atomic_fetch_add(x, 1, __ATOMIC_RELAXED);
}

// A call of GOMP_parallel has no row: the row of the previous line, or of the function, covers it.
APART static void regions(void)
{
#pragma omp parallel for num_threads(2) // HERE parallel,for:clang regions
    for (int i = 0; i < 100; i++) {
        add(&a[i]);
    }
#pragma omp parallel num_threads(2) // HERE parallel regions
    {
        add(&a[1]);
    }
    a[2]++;
#pragma omp parallel num_threads(2) // HERE parallel regions
    add(&a[3]);
}

// GCC loads the addresses of the tasks' functions before the loop.
APART static void loop_of_tasks(int n)
{
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : a[i % 8]) // HERE task loop_of_tasks
        {
            add(&a[i]);
        }
        add(&a[4]);
#pragma omp task if (i > 5) // HERE task loop_of_tasks
        add(&a[i + 1]);
#pragma omp task depend(in : a[i % 4]) firstprivate(i) // HERE task loop_of_tasks
        add(&a[i + 2]);
#pragma omp task firstprivate(i) priority(i) // HERE task loop_of_tasks
        add(&a[i + 3]);
#pragma omp taskloop grainsize(4) // HERE taskloop,task,taskgroup loop_of_tasks
        for (int k = 0; k < 8; k++) {
            add(&a[k]);
        }
    }
#pragma omp taskwait // HERE taskwait loop_of_tasks
    a[5]++;
}

APART static void synchronised(void)
{
#pragma omp parallel num_threads(2) // HERE parallel synchronised
    {
        add(&a[6]);
#pragma omp single // HERE single synchronised
        {
            a[7]++;
#pragma omp taskgroup // HERE taskgroup synchronised
            {
#pragma omp task // HERE task synchronised
                {
                    add(&a[8]);
                }
            }
#pragma omp task // HERE task synchronised
            add(&a[9]);
        }
        add(&a[10]);
#pragma omp critical // HERE critical synchronised
        {
            a[11]++;
        }
        add(&a[12]);
#pragma omp taskgroup // HERE taskgroup synchronised
        {
            add(&a[13]);
        }
        add(&a[14]);
#pragma omp single nowait // HERE single synchronised
        a[15]++;
        add(&a[16]);
    }
}

APART static void shared_work(void)
{
#pragma omp parallel num_threads(2) // HERE parallel shared_work
    {
        add(&a[17]);
#pragma omp for schedule(dynamic) // HERE for shared_work
        for (int i = 0; i < 100; i++) {
            add(&a[i]);
        }
        add(&a[18]);
#pragma omp for schedule(guided, 2) ordered // HERE for shared_work
        for (int i = 0; i < 20; i++) {
            add(&a[i]);
#pragma omp ordered // HERE ordered shared_work
            a[19]++;
        }
        add(&a[28]);
#pragma omp for schedule(dynamic) // HERE for shared_work
        for (int i = 0; i < 100; i++) {
            add(&a[i]);
        }
        add(&a[20]);
#pragma omp sections // HERE sections shared_work
        {
#pragma omp section
            add(&a[21]);
#pragma omp section
            add(&a[22]);
        }
    }
#pragma omp parallel sections num_threads(2) // HERE parallel,sections shared_work
    {
        add(&a[26]);
#pragma omp section
        add(&a[27]);
    }
    a[29]++;
}

int main(void)
{
    regions();
#pragma omp parallel num_threads(2) // HERE parallel main
    {
        add(&a[23]);
#pragma omp single // HERE single main
        loop_of_tasks(10);
    }
    synchronised();
    shared_work();
    printf("%d\n", a[1] > 0);
    return 0;
}
