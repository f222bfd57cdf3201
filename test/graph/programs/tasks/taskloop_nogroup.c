// A taskloop of n chunks without a taskgroup, some created by the runtime's tasks. The task
// that encounters the taskloop waits for all chunks.
#include "play.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 10);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    {
#pragma omp taskloop nogroup num_tasks(n)
        for (int i = 0; i < n; i++) {
            work(10);
        }
#pragma omp taskwait // @wait
    }
    return 0;
}
