// The runtime is initialised and nothing else happens, so there is nothing to record.
//
// exit: 11
// archives: 0
#include "check.h"

int main(void)
{
    CHECK(omp_get_max_threads() >= 1);
    printf("threads ok\n");
    return 11;
}
