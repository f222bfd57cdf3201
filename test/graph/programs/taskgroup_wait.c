// Taskgroups and taskwaits of one task: each waits for what nobody has waited for.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task // @a
        body();
        created();
#pragma omp taskgroup // @group
        {
#pragma omp task // @b
            body();
            created();
        }
#pragma omp taskwait  // @first
#pragma omp taskgroup // @group2
        {
#pragma omp task // @c
            body();
            created();
#pragma omp taskwait // @inside
#pragma omp task     // @d
            body();
            created();
        }
#pragma omp taskwait // @second
    }
    return 0;
}
