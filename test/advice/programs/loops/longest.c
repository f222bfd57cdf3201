// The longest iterations come first, and the first chunk of a guided loop has the most of them.
#include "../pair.h"

enum { N = 64, STEPS = 4 };

static void iterate(int i)
{
    double ms = 20;
    for (int k = 0; k < i; k++) {
        ms *= 0.9;
    }
    rest(ms);
}

void before(void)
{
    for (int r = 0; r < STEPS; r++) {
#pragma omp parallel for schedule(guided) // HERE
        for (int i = 0; i < N; i++) {     // HERE
            iterate(i);
        }
    }
}

void after(void)
{
    for (int r = 0; r < STEPS; r++) {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < N; i++) {
            iterate(i);
        }
    }
}
