// taskwait depend waits only for predecessors. Later tasks with this address need not wait for them
// again.
#include "play.h"

int main(int argc, char **argv)
{
    int x = 0, y = 0;
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task depend(out : x) // @a
        body();
        created();
#pragma omp task depend(out : y) // @b
        body();
        created();
#pragma omp taskwait depend(in : x) // @wait
#pragma omp taskgroup               // @group
        {
#pragma omp task // @c
            body();
        }
    }
    return 0;
}
