// A guided loop's smallest chunk is half of its iterations, and the last half takes longer.
#include "../pair.h"

enum { N = 40 };

static void loop(int chunk)
{
#pragma omp parallel for schedule(guided, chunk) // HERE
    for (int i = 0; i < N; i++) {                // HERE
        rest(i < N / 2 ? 8 : 24);
    }
}

void before(void)
{
    loop(number > 0 ? (int)number : N / 2);
}

void after(void)
{
    loop(number > 0 ? (int)number : 1);
}
