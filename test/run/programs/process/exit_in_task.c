// exit() by a task, while other tasks run and wait.
//
// exit: 6
// unfinished: constructs tasks
// expect: forks == 1
// expect: tasks >= 1
// expect: prop('OTTER::UNFINISHED') != '0'
#include "check.h"

int main(void)
{
    printf("leaving\n");
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
        {
            work(2000);
            if (i == 10) {
                exit(6);
            }
        }
    }
    return 0;
}
