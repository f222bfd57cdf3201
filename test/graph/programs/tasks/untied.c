// An untied task, which may change its thread at each of its scheduling points.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task untied // @untied
        {
#pragma omp task // @a
            body();
            created();
#pragma omp taskwait // @first
#pragma omp task     // @b
            body();
            created();
#pragma omp taskwait // @second
        }
        created();
    }
    return 0;
}
