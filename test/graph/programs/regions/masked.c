// Only the primary thread creates a task.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp masked // @masked
        {
#pragma omp task // @task
            body();
            created();
        }
        work(1);
    }
    return 0;
}
