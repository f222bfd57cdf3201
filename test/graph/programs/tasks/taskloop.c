// Taskloops: by number of tasks, by size of chunks, and without a taskgroup.
#include "play.h"

int main(void)
{
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp taskloop num_tasks(3) // @number
        for (int i = 0; i < 9; i++) {
            work(10);
        }
#pragma omp taskloop grainsize(4) // @grain
        for (int i = 0; i < 8; i++) {
            work(10);
        }
#pragma omp taskloop nogroup num_tasks(2)
        for (int i = 0; i < 4; i++) {
            work(10);
        }
    }
    return 0;
}
