// No fault: two static loops whose iterations all take equally long.
#include "../pair.h"

void before(void)
{
    for (int r = 0; r < 2; r++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < 100; i++) {
            rest(10);
        }
    }
}

void after(void)
{
    before();
}
