// A taskwait waits for the children, but not for the grandchildren.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task // @parent
        {
#pragma omp task // @child
            {
#pragma omp task // @grandchild
                body();
                created();
            }
            created();
#pragma omp taskwait // @inner
#pragma omp task     // @late
            body();
            created();
        }
        created();
#pragma omp taskwait // @outer
#pragma omp taskwait // @again
    }
    return 0;
}
