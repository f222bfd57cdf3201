// Shared code of the programs: a check with a message, and waiting for another thread.
#pragma once

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not true: %s\n", __LINE__, #condition);                               \
            exit(99);                                                                              \
        }                                                                                          \
    } while (0)

static inline void wait_until(atomic_int *variable, int value)
{
    while (atomic_load(variable) < value) {
        sched_yield();
    }
}

static inline long argument(int argc, char **argv, int index, long otherwise)
{
    return index < argc ? atol(argv[index]) : otherwise;
}

// Works for a few microseconds, so that another thread can take its turn.
static inline double work(int n)
{
    volatile double x = 1.0;
    for (int i = 0; i < n; i++) {
        x = x * 0.999 + 0.001;
    }
    return x;
}
