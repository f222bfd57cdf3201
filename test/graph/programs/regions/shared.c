// A team's worksharing: two single constructs without barriers, pieces of a loop, sections. Each
// creates tasks.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp single nowait // @single1
        {
#pragma omp task // @a
            body();
            created();
        }
#pragma omp single nowait // @single2
        {
#pragma omp task // @b
            body();
            created();
        }
#pragma omp barrier                      // @barrier1
#pragma omp for schedule(dynamic) nowait // @loop
        for (int i = 0; i < 4; i++) {
#pragma omp task // @c
            body();
            created();
        }
#pragma omp barrier         // @barrier2
#pragma omp sections nowait // @sections
        {
#pragma omp section
            {
#pragma omp task // @d
                body();
                created();
            }
#pragma omp section
            {
#pragma omp task // @e
                body();
                created();
            }
        }
    }
    return 0;
}
