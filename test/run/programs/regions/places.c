// Final tasks and their children, with dependences: for the first child in GCC's code, LLVM's
// runtime reports the place of its creator. The test counts tasks by place.
//
// args: 40
// expect: by_place('task') == [3 * out('rounds'), 9 * out('rounds')]
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 40);
    atomic_int sum = 0;
    int order = 0;
    for (int round = 0; round < n; round++) {
#pragma omp parallel num_threads(3) shared(order)
        {
#pragma omp task final(1)
            {
                for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : order)
                    atomic_fetch_add(&sum, 1);
                }
                work(1); // as in nested.c
            }
            work(1);
        }
    }
    CHECK(sum == 9 * n);
    printf("rounds %d\n", n);
    return 0;
}
