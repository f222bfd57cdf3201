// Executes every construct while all threads pause and start recording at random. Arguments: seed,
// rounds.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "otter/control.h"

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long total;
static unsigned seed;

// Returns a number that differs from call to call, but is not random.
static unsigned next(void)
{
    static unsigned n;
    unsigned x;
#pragma omp atomic capture
    x = n++;
    x = (x + seed) * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

static void flip(void)
{
    unsigned x = next() % 8;
    if (x == 0) {
        otter_pause();
    } else if (x == 1) {
        otter_start();
    }
}

static void add(long n)
{
#pragma omp atomic
    total += n;
}

static void recur(int n)
{
    flip();
    if (n < 2) {
        add(1);
        return;
    }
#pragma omp task
    recur(n - 1);
#pragma omp task
    recur(n - 2);
    flip();
#pragma omp taskwait
    flip();
}

static void untied(int n)
{
    flip();
    for (int i = 0; i < n; i++) {
#pragma omp task untied
        {
            untied(n - 1);
#pragma omp taskyield
            flip();
        }
    }
    flip();
#pragma omp taskwait
    add(1);
}

static void groups(void)
{
#pragma omp taskgroup
    {
        flip();
#pragma omp task
        recur(4);
        flip();
#pragma omp task if (0)
        recur(3);
        flip();
    }
    flip();
}

static void dependences(void)
{
    int a = 0, b = 0;
    for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : a) shared(a)
        a++, flip();
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
        b = a, flip();
    }
#pragma omp taskwait
    add(a + b);
}

static void locks(void)
{
    omp_set_lock(&lock);
    flip();
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest_lock);
    flip();
    omp_set_nest_lock(&nest_lock);
    omp_unset_nest_lock(&nest_lock);
    flip();
    omp_unset_nest_lock(&nest_lock);
    if (omp_test_lock(&lock)) {
        flip();
        omp_unset_lock(&lock);
    }
#pragma omp critical
    flip();
}

// For these loops, clang 19 emits a call that older runtimes do not have.
static void dynamic_loops(void)
{
#ifndef WITHOUT_DYNAMIC_LOOPS
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 6; i++) {
        flip();
    }
#pragma omp for ordered
    for (int i = 0; i < 4; i++) {
#pragma omp ordered
        flip();
    }
#endif
}

static void worksharing(void)
{
    dynamic_loops();
#pragma omp sections
    {
#pragma omp section
        flip();
#pragma omp section
        flip();
    }
    flip();
#pragma omp barrier
    flip();
#pragma omp masked
    flip();
#pragma omp single
    {
#pragma omp taskloop grainsize(2)
        for (int i = 0; i < 8; i++) {
            flip();
        }
    }
}

static void nested(void)
{
    flip();
#pragma omp parallel num_threads(2)
    {
        flip();
#pragma omp barrier
        locks();
#pragma omp parallel if (0)
        flip();
    }
    flip();
}

static void team(unsigned n)
{
#pragma omp parallel num_threads(n)
    {
        flip();
#pragma omp single nowait
        recur(5);
        worksharing();
#pragma omp single
        {
            untied(3);
            groups();
        }
        dependences();
        locks();
        nested();
    }
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int n = argc > 2 ? atoi(argv[2]) : 4;
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
#pragma omp parallel
    {
    }
    for (int i = 0; i < n; i++) {
        flip();
        otter_phase_begin("round");
        team(1 + next() % (unsigned)omp_get_max_threads());
        flip();
        otter_phase_end();
    }
    if (seed % 2) {
        otter_start();
    }
    printf("%ld\n", total);
    return 0;
}
