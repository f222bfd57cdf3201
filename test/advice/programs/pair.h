// Two versions of a program: before() has one planted fault, after() follows the advice on it.
//
// usage: PROGRAM before|after [NUMBER]; prints the seconds that the version takes. NUMBER is the
// depth, block or chunk of a program whose advice has a number; 0 is the fault itself. With LESS in
// the environment, programs with many small parts have fewer of them, for runs on a busy machine.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long number; // the second argument

void before(void);
void after(void);

// Takes time without using a processor, so that other programs on the machine hardly affect it.
static inline void rest(double ms)
{
    struct timespec left = {(time_t)(ms / 1e3), (long)(ms * 1e6) % 1000000000L};
    while (nanosleep(&left, &left)) {
    }
}

static inline int sized(int all, int fewer)
{
    return getenv("LESS") ? fewer : all;
}

// Executes `steps` dependent multiplications, of about a nanosecond each.
static inline unsigned long compute(long steps)
{
    unsigned long x = (unsigned long)steps;
    for (long i = 0; i < steps; i++) {
        x = x * 6364136223846793005UL + 1442695040888963407UL;
        __asm__ volatile("" : "+r"(x)); // the compiler cannot shorten the loop
    }
    return x;
}

static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv)
{
    double begin = seconds();
    number = argc > 2 ? atol(argv[2]) : 0;
    if (argc > 1 && strcmp(argv[1], "after") == 0) {
        after();
    } else {
        before();
    }
    printf("%.6f\n", seconds() - begin);
    return 0;
}
