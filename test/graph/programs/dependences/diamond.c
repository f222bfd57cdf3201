// Four tasks: the first precedes two tasks, which precede the last.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0, y = 0, z = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task depend(out : x) // @a
        body();
        created();
#pragma omp task depend(in : x) depend(out : y) // @b
        body();
        created();
#pragma omp task depend(in : x) depend(out : z) // @c
        body();
        created();
#pragma omp task depend(in : y, z) // @d
        body();
    }
    return 0;
}
