// Each task allocates a buffer that malloc gets from the system and returns to it, so that all its
// pages are new. Afterwards, each thread keeps its buffer.
#include "../pair.h"

enum { SIZE = 36 << 20, LINE = 64 };

static void fill(char *buffer, int i)
{
    for (size_t at = 0; buffer && at < SIZE; at += LINE) {
        buffer[at] = (char)i;
    }
    __asm__ volatile("" ::"r"(buffer) : "memory"); // the compiler cannot leave out the buffer
}

void before(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < sized(80, 10); i++) {
#pragma omp task // HERE
        {
            char *buffer = malloc(SIZE);
            fill(buffer, i);
            free(buffer);
        }
    }
}

static char *own;
#pragma omp threadprivate(own)

void after(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < sized(80, 10); i++) {
#pragma omp task
        {
            own = own ? own : malloc(SIZE);
            fill(own, i);
        }
    }
}
