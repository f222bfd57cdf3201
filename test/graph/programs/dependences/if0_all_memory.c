// omp_all_memory of an undeferred task, for which LLVM's runtime reports no kind.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0, y = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task depend(in : x) // @first
        body();
        created();
#pragma omp task if (0) depend(inout : omp_all_memory) // @all
        work(1);
#pragma omp task depend(in : y) // @second
        body();
        created();
#pragma omp task depend(inout : omp_all_memory) // @last
        body();
        work(1);
    }
    return 0;
}
