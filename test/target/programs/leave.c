// The program ends while data is mapped and a construct of the host is open.
#include "offload.h"

int main(void)
{
    int x[10] = {0};
#pragma omp target enter data map(to : x)
#pragma omp target map(tofrom : x)
    x[3] = 3;
#pragma omp target update from(x)
    printf("x[3] %d\n", x[3]);
    fflush(stdout);
#pragma omp parallel num_threads(2)
#pragma omp single
    exit(3);
}
