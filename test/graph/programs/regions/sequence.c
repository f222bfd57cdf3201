// Regions one after the other, with a single task between them.
#include "play.h"

int main(void)
{
#pragma omp parallel // @first
    work(1);
#pragma omp task // @between
    work(1);
#pragma omp parallel // @second
    work(1);
    return 0;
}
