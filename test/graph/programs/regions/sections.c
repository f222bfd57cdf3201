// Sections, each of which any member may execute.
#include "play.h"

int main(void)
{
#pragma omp parallel // @parallel
    {
#pragma omp sections // @sections
        {
#pragma omp section
            work(1);
#pragma omp section
            work(2);
#pragma omp section
            work(3);
        }
        work(1);
    }
    return 0;
}
