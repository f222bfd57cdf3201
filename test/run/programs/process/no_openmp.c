// Linked with the runtime, but without an executed construct: no archive, no complaint, nothing on
// stdout.
//
// args: 0
// exit: 3
// archives: 0
#include "check.h"

static int region(void)
{
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum++;
    return sum;
}

int main(int argc, char **argv)
{
    printf("nothing done\n");
    return argument(argc, argv, 1, 0) ? region() : 3;
}
