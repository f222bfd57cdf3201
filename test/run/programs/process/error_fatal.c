// A fatal error directive without a message ends the program as it does without a tool.
//
// threads[libomp < 16]: none
// exit: -6
// archives: recording
#include "check.h"

int main(void)
{
    printf("leaving\n");
    fflush(stdout);
#pragma omp error at(execution) severity(fatal)
    return 0;
}
