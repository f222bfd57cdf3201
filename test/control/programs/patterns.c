// Begins and ends pauses at all places. Arguments: pattern, threads, rounds. Prints a sum that must
// not depend on the tool.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otter/control.h"

static long total;

static void work(void)
{
#pragma omp atomic
    total++;
}

static void recur(int n)
{
    if (n > 1) {
#pragma omp task
        recur(n - 1);
#pragma omp task
        recur(n - 2);
#pragma omp taskwait
    }
    work();
}

// Tasks from before the pause run in the pause, and tasks of the pause run after it.
static void in_taskgroup(int n)
{
#pragma omp parallel num_threads(n)
#pragma omp single
    {
#pragma omp taskgroup
        {
#pragma omp task
            recur(3);
            otter_pause();
#pragma omp task
            recur(4);
            otter_start();
#pragma omp task
            recur(2);
        }
#pragma omp task
        recur(3);
    }
}

// The construct that is open when the pause begins ends in the pause.
static void out_of_scopes(int n)
{
#pragma omp parallel num_threads(n)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task
                {
                    otter_pause();
                    recur(3);
                }
            }
        }
#pragma omp barrier
#pragma omp single
        {
            recur(3);
            otter_start();
        }
#pragma omp barrier
        recur(2);
    }
}

static void over_regions(int n)
{
#pragma omp parallel num_threads(n)
    {
        recur(2);
#pragma omp masked
        otter_pause();
        recur(3);
    }
#pragma omp parallel num_threads(n)
    recur(2);
#pragma omp parallel num_threads(n)
    {
        recur(2);
#pragma omp barrier
#pragma omp masked
        otter_start();
        recur(3);
#pragma omp barrier
        recur(3);
    }
}

static void nested_inside(int n)
{
#pragma omp parallel num_threads(n)
    {
        if (omp_get_thread_num() == 0) {
            otter_pause();
        }
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0 && omp_get_ancestor_thread_num(1) == 0) {
                otter_start();
            }
#pragma omp barrier
            recur(3);
        }
    }
}

static void in_critical(int n)
{
    static omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(n)
    for (int i = 0; i < 4; i++) {
        omp_set_lock(&lock);
        otter_pause();
        omp_unset_lock(&lock);
#pragma omp critical
        {
            otter_start();
            work();
        }
#pragma omp critical
        otter_pause();
        omp_set_lock(&lock);
        otter_start();
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
}

static void undeferred_and_untied(int n)
{
#pragma omp parallel num_threads(n)
#pragma omp single
    {
#pragma omp task if (0)
        {
            otter_pause();
            recur(2);
        }
#pragma omp task if (0)
        {
            recur(2);
            otter_start();
        }
        for (int i = 0; i < 8; i++) {
#pragma omp task untied
            {
                otter_pause();
#pragma omp taskyield
                recur(3);
#pragma omp taskyield
                otter_start();
            }
        }
    }
}

static void never_ending(int n)
{
#pragma omp parallel num_threads(n)
    {
        recur(3);
#pragma omp masked
        otter_pause();
        recur(3);
    }
}

static void many(int n)
{
#pragma omp parallel num_threads(n)
    for (int i = 0; i < 200; i++) {
        otter_pause();
        work();
        otter_start();
    }
}

// Phases that end in the wrong place: inside a taskgroup that began in them, and in untied tasks
// without an open phase.
static void misplaced_phases(int n)
{
#pragma omp parallel num_threads(n)
#pragma omp single
    {
        otter_phase_begin("around");
#pragma omp taskgroup
        {
            otter_phase_begin("within");
            otter_phase_end();
            otter_phase_end();
            for (int i = 0; i < 8; i++) {
#pragma omp task untied
                {
                    otter_phase_end();
#pragma omp taskgroup
                    recur(4);
                }
            }
        }
        otter_phase_end();
    }
}

static const struct {
    const char *name;
    void (*run)(int n);
} patterns[] = {
    {"in_taskgroup", in_taskgroup},
    {"out_of_scopes", out_of_scopes},
    {"over_regions", over_regions},
    {"nested_inside", nested_inside},
    {"in_critical", in_critical},
    {"undeferred_and_untied", undeferred_and_untied},
    {"many", many},
    {"never_ending", never_ending},
    {"misplaced_phases", misplaced_phases},
};

int main(int argc, char **argv)
{
    int n = argc > 2 ? atoi(argv[2]) : 2;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(n)
    {
    }
    for (int round = 0; argc > 3 && round < atoi(argv[3]); round++) {
        for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
            if (strcmp(patterns[i].name, argv[1]) == 0) {
                patterns[i].run(n);
            }
        }
    }
    printf("%ld\n", total);
    return 0;
}
