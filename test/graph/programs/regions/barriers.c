// Three barriers; between them each member creates a task.
#include "play.h"

int main(int argc, char **argv)
{
    play(argc, argv);
#pragma omp parallel // @parallel
    {
#pragma omp barrier // @barrier1
#pragma omp task    // @a
        body();
        created();
#pragma omp barrier // @barrier2
#pragma omp task    // @b
        body();
        created();
#pragma omp task // @c
        body();
        created();
#pragma omp barrier // @barrier3
        work(1);
    }
    return 0;
}
