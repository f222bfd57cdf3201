// Sets of tasks: two mutexinoutset after a writer and before readers, two inoutset before a writer.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task depend(out : x) // @writer
        body();
        created();
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(mutexinoutset : x) // @mutex
            body();
            created();
        }
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(in : x) // @reader
            body();
            created();
        }
        for (int i = 0; i < 2; i++) {
#pragma omp task depend(inoutset : x) // @set
            body();
            created();
        }
#pragma omp task depend(inout : x) // @last
        body();
    }
    return 0;
}
