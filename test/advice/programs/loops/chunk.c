// A dynamic loop has three chunks for two threads; NUMBER is another chunk size.
#include "../pair.h"

static void loop(int chunk)
{
#pragma omp parallel for schedule(dynamic, chunk) // HERE
    for (int i = 0; i < 48; i++) {                // HERE
        rest(10);
    }
}

void before(void)
{
    loop(number > 0 ? (int)number : 16);
}

void after(void)
{
    loop(number > 0 ? (int)number : 1);
}
