// The error directive at run time, as a warning: one event, and the program continues.
//
// threads[libomp < 16]: none
// expect: enters('error') == 2
#include "check.h"

int main(void)
{
#pragma omp error at(execution) severity(warning) message("first")
#pragma omp parallel
#pragma omp single
    {
#pragma omp error at(execution) severity(warning) message("second")
    }
    printf("went on\n");
    return 0;
}
