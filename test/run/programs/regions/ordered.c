// An ordered block in a loop: executed in the order of iterations, recorded as a mutex.
//
// args: 24
// grow: 96
// expect: enters('ordered') == out('iterations')
// expect: enters('ordered sblock') == out('iterations')
// expect: acquires == out('iterations')
// expect: locks == 1
// expect: enters('for') == T
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 24);
    int next = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < n; i++) {
        work(50);
#pragma omp ordered
        {
            CHECK(next == i);
            next++;
        }
    }
    CHECK(next == n);
    printf("iterations %d\n", n);
    return 0;
}
