// A taskgroup waits for children and grandchildren created inside, and not for earlier ones.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp task // @before
        body();
        created();
#pragma omp taskgroup // @group
        {
#pragma omp task // @child
            {
#pragma omp task // @grandchild
                body();
                created();
#pragma omp task // @grandchild2
                body();
            }
            created();
        }
#pragma omp task // @after
        body();
    }
    return 0;
}
