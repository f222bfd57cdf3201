// The last half of the iterations takes three times as long, and a static loop gives each thread
// the same number.
#include "../pair.h"

enum { N = 160 };

static void iterate(int i)
{
    rest(i < N / 2 ? 2 : 6);
}

void before(void)
{
#pragma omp parallel for schedule(static) // HERE
    for (int i = 0; i < N; i++) {
        iterate(i);
    }
}

void after(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < N; i++) {
        iterate(i);
    }
}
