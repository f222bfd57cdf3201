// The same address before and after a barrier, by the same member. No dependence crosses the
// barrier, because all tasks have ended. A dependence crosses a taskwait.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp masked // @masked
        {
#pragma omp task depend(out : x) // @a
            body();
            created();
#pragma omp taskwait               // @wait
#pragma omp task depend(inout : x) // @b
            body();
            created();
        }
#pragma omp barrier // @barrier
#pragma omp masked  // @masked2
        {
#pragma omp task depend(in : x) // @c
            body();
            created();
        }
    }
    return 0;
}
