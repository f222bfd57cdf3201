// A program whose recording becomes a page: played KIND, where KIND is tasks, many, nested, paused,
// threads, killed, deep, empty.
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sum;

static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        sum = sum + i;
    }
}

static void fib(int n)
{
    work(50);
    if (n < 2) {
        return;
    }
#pragma omp task
    fib(n - 1);
#pragma omp task
    fib(n - 2);
#pragma omp taskwait
    work(10);
}

static void tasks(void)
{
    char x = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            fib(12);
            for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x)
                work(2000);
            }
        }
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 32; i++) {
            work(1000);
        }
#pragma omp critical
        work(5000);
    }
}

static void many(void)
{
#pragma omp parallel
#pragma omp single
    fib(23);
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
    {
        work(100);
#pragma omp parallel num_threads(2)
        {
#pragma omp taskgroup
            {
#pragma omp task
                fib(4);
            }
            work(100);
        }
        work(10);
    }
}

static void pause_for(void (*play)(void))
{
    omp_control_tool(omp_control_tool_pause, 0, NULL);
    play();
    omp_control_tool(omp_control_tool_start, 0, NULL);
}

static void paused(void)
{
    tasks();
    pause_for(tasks);
#pragma omp parallel
    {
        work(1000);
#pragma omp master
        pause_for(nested);
#pragma omp barrier
        work(1000);
    }
}

static void killed(void)
{
    atomic_int n = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 5000; i++) {
#pragma omp task
        {
            work(100);
            if (atomic_fetch_add(&n, 1) == 2000) {
                raise(SIGKILL);
            }
        }
    }
}

static void open_groups(int n)
{
    if (n == 0) {
        work(1000);
        return;
    }
#pragma omp taskgroup
    open_groups(n - 1);
}

static void deep(void)
{
    open_groups(80);
}

static void threads(void)
{
#pragma omp parallel
    {
        work(1000);
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 1000; i++) {
#pragma omp task
            work(200);
        }
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*play)(void);
    } kinds[] = {{"tasks", tasks},   {"many", many},       {"nested", nested}, {"paused", paused},
                 {"killed", killed}, {"threads", threads}, {"deep", deep}};
    omp_set_max_active_levels(2);
    for (size_t i = 0; argc > 1 && i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(argv[1], kinds[i].name) == 0) {
            kinds[i].play();
            return 0;
        }
    }
    return argc > 1 && strcmp(argv[1], "empty") == 0 ? 0 : 2;
}
