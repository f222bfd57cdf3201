// Regions in regions: two threads each fork two, then one forks alone.
#include "play.h"

int main(void)
{
#pragma omp parallel num_threads(2) // @outer
    {
#pragma omp parallel num_threads(2) // @inner
        work(1);
#pragma omp parallel num_threads(1) // @serial
        work(1);
        work(1);
    }
    return 0;
}
