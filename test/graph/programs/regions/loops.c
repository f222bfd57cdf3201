// Worksharing loops, with a barrier and without, in which every member executes iterations.
#include "play.h"

int main(void)
{
#pragma omp parallel // @parallel
    {
#pragma omp for schedule(static) // @static
        for (int i = 0; i < 8; i++) {
            work(1);
        }
#pragma omp for schedule(dynamic) nowait // @dynamic
        for (int i = 0; i < 8; i++) {
            work(1);
        }
        work(1);
    }
    return 0;
}
