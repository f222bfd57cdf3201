// A final task: tasks created in it are executed at once.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task final(1) // @final
        {
#pragma omp task // @included
            {
#pragma omp task // @below
                body();
            }
#pragma omp taskwait // @wait
        }
        created();
    }
    return 0;
}
