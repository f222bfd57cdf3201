// Kills itself inside a region.
#include <signal.h>

int main(void)
{
#pragma omp parallel num_threads(2) // HERE parallel main
    {
#pragma omp single // HERE single main
        {
#pragma omp task // HERE task main
            {
            }
#pragma omp taskwait // HERE taskwait main
            raise(SIGKILL);
        }
    }
    return 0;
}
