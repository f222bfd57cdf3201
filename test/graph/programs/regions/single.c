// A single construct with its barrier and one without, and a task in each.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp single // @single
        {
#pragma omp task // @a
            body();
            created();
        }
#pragma omp single nowait // @nowait
        {
#pragma omp task // @b
            body();
            created();
        }
        work(1);
    }
    return 0;
}
