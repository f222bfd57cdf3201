// Four writers, and four readers of two variables each, on rings of a given length. One ring of
// four and two rings of two differ only in which tasks depend on each other.
#include "play.h"
#include <stdlib.h>

enum { N = 4 };

int main(int argc, char **argv)
{
    static char x[N];
    int length = argc > 2 ? atoi(argv[2]) : N;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(out : x[i]) // @writer
            body();
            created();
        }
        for (int i = 0; i < N; i++) {
            int next = i / length * length + (i + 1) % length;
#pragma omp task depend(in : x[i]) depend(in : x[next]) // @reader
            body();
            created();
        }
    }
    return 0;
}
