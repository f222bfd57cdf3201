// Three writers, then one task that an iterator makes depend on all of them.
#include "play.h"

int main(int argc, char **argv)
{
    int x[3] = {0};
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
        for (int i = 0; i < 3; i++) {
#pragma omp task depend(out : x[i]) // @writer
            body();
            created();
        }
#pragma omp task depend(iterator(k = 0 : 3), in : x[k]) // @reader
        body();
    }
    return 0;
}
