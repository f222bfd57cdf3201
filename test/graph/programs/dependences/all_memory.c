// omp_all_memory: ordered after all earlier tasks, and before all later ones.
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
#pragma omp task depend(in : y) // @b
        body();
        created();
#pragma omp task depend(inout : omp_all_memory) // @all
        body();
        created();
#pragma omp task depend(in : x) // @c
        body();
        created();
#pragma omp task depend(out : z) // @d
        body();
    }
    return 0;
}
