// The error directive without a message, first as the program's first call of the runtime. LLVM's
// runtime takes the length of the message where a tool wants to know of the error.
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
