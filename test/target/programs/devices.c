// Prints how many devices the runtime has, and offloads nothing.
#include "offload.h"

int main(void)
{
    printf("devices %d\n", omp_get_num_devices());
    return 0;
}
