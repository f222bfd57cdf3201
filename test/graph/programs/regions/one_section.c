// One section, and one iteration, each of which does several things in order.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp sections // @sections
        {
#pragma omp section
            {
#pragma omp taskgroup // @group1
                {
#pragma omp task // @a
                    body();
                    created();
                }
#pragma omp taskgroup // @group2
                {
#pragma omp task // @b
                    body();
                    created();
                }
            }
        }
#pragma omp for schedule(static) // @loop
        for (int i = 0; i < 1; i++) {
#pragma omp task // @c
            body();
            created();
#pragma omp taskwait // @wait
#pragma omp task     // @d
            body();
            created();
        }
    }
    return 0;
}
