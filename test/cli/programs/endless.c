// Creates tasks until it is killed. Prints a line when both threads run and the first hundred tasks
// are done.
#include <stdio.h>

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
#pragma omp single
        for (long i = 0;; i++) {
#pragma omp task
            for (volatile int k = 0; k < 10000; k++) {
            }
            if (i == 100) {
#pragma omp taskwait
                puts("ready");
                fflush(stdout);
            }
        }
    }
}
