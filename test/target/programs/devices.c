// How many devices the runtime has: nothing is offloaded.
#include "offload.h"

int main(void)
{
    printf("devices %d\n", omp_get_num_devices());
    return 0;
}
