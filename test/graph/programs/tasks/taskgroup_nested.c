// Taskgroups in a taskgroup, one of the same task and one of a child.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp taskgroup // @outer
        {
#pragma omp taskgroup // @inner
            {
#pragma omp task // @a
                body();
                created();
            }
#pragma omp task // @b
            {
#pragma omp taskgroup // @own
                {
#pragma omp task // @c
                    body();
                    created();
                }
#pragma omp taskgroup // @own2
                {
#pragma omp task // @d
                    body();
                    created();
                }
            }
            created();
        }
    }
    return 0;
}
