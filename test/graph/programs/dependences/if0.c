// Undeferred tasks, without dependences and with.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task if (0) // @plain
        work(1);
#pragma omp task depend(out : x) // @writer
        body();
        created();
#pragma omp task if (0) depend(in : x) // @reader
        work(1);
#pragma omp task depend(inout : x) // @last
        body();
        work(1);
    }
    return 0;
}
