// Half of the work is outside of parallel regions.
#include "../pair.h"

static void loop(int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        rest(10);
    }
}

void before(void)
{
    for (int r = 0; r < 8; r++) {
        rest(40);
        loop(8);
    }
}

void after(void)
{
    for (int r = 0; r < 8; r++) {
        loop(4);
        loop(8);
    }
}
