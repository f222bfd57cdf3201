// A taskloop of n chunks. With a small KMP_TASKLOOP_MIN_TASKS, the runtime's own tasks create the
// chunks.
#include "play.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 10);
#pragma omp parallel              // @parallel
#pragma omp single                // @single
#pragma omp taskloop num_tasks(n) // @loop
    for (int i = 0; i < n; i++) {
        work(10);
    }
    return 0;
}
