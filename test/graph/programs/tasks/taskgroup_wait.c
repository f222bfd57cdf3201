// Taskgroups and taskwaits of one task: each waits for the tasks without an earlier wait, whatever
// else depends on them.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task // @a
        body();
        created();
#pragma omp taskgroup // @group
        {
#pragma omp task depend(out : x) // @b
            body();
            created();
        }
#pragma omp taskwait  // @first
#pragma omp taskgroup // @group2
        {
#pragma omp task depend(in : x) // @c
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
