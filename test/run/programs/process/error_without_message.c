// The error directive without a message, first as the program's first call of the runtime. If a
// tool registers for errors, LLVM's runtime reads the length of the missing message.
//
// threads[libomp < 16]: none
// expect: enters('error') == 3
#include "check.h"

int main(void)
{
#pragma omp error at(execution) severity(warning)
#pragma omp parallel
#pragma omp single
    {
#pragma omp error at(execution) severity(warning)
#pragma omp error at(execution) severity(warning) message("with one")
    }
    printf("went on\n");
    return 0;
}
