// A chain of n tasks, each of which depends on its predecessor.
#include "play.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 5);
    int x = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : x) // @link
        body();
        created();
    }
    return 0;
}
