// omp_all_memory orders a task with all its siblings.
//
// args: 5
// expect: tasks == 7 * out('rounds')
// expect[libomp >= 19]: param("depend out all memory") + param("depend inout all memory") == out("rounds")
// expect: param('depend in') == 3 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int x[3];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
#pragma omp task depend(out : x[k]) shared(x)
            {
                work(500);
                x[k] = 1;
            }
        }
#pragma omp task depend(out : omp_all_memory) shared(x)
        {
            CHECK(x[0] == 1 && x[1] == 1 && x[2] == 1);
            x[0] = x[1] = x[2] = 2;
        }
        for (int k = 0; k < 3; k++) {
#pragma omp task depend(in : x[k]) shared(x)
            CHECK(x[k] == 2);
        }
#pragma omp taskwait
    }
    printf("rounds %d\n", n);
    return 0;
}
