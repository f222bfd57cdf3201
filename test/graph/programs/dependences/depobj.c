// Dependences by a depend object, whose kind changes in between.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0;
    omp_depend_t object;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp depobj(object) depend(inout : x)
#pragma omp task depend(depobj : object) // @writer
        body();
        created();
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) // @reader
        body();
        created();
#pragma omp task depend(in : x) // @reader2
        body();
        created();
#pragma omp depobj(object) update(inout)
#pragma omp task depend(depobj : object) // @last
        body();
        created();
#pragma omp depobj(object) destroy
    }
    return 0;
}
