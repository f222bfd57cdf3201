// Tasks outside of any region.
#include "play.h"

int main(void)
{
#pragma omp task // @a
    work(1);
#pragma omp taskwait  // @wait
#pragma omp taskgroup // @group
    {
#pragma omp task // @b
        work(1);
    }
#pragma omp task // @c
    work(1);
    return 0;
}
