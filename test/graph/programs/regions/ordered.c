// Ordered regions of three iterations, each with a task and a wait for it: the tasks have the order
// of the iterations.
#include "play.h"

int main(void)
{
#pragma omp parallel for ordered schedule(static, 1) // @parallel
    for (int i = 0; i < 3; i++) {
#pragma omp ordered // @ordered
        {
#pragma omp task // @task
            work(1);
#pragma omp taskwait // @wait
        }
    }
    return 0;
}
