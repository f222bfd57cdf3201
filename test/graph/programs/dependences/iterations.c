// Iterations of a dynamic loop, each with dependences on a variable of its own. In iterations that
// one thread executes, these variables have the same address, which causes dependences between
// them.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp for schedule(dynamic) // @loop
        for (int i = 0; i < 6; i++) {
            int x = i;
#pragma omp task depend(out : x) shared(x) // @a
            body();
            created();
#pragma omp task depend(in : x) shared(x) // @b
            body();
            created();
#pragma omp taskwait // @wait
            (void)x;
#pragma omp taskgroup // @group
            {
#pragma omp task // @c
                body();
                created();
            }
        }
    }
    return 0;
}
