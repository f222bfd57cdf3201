// Dependences by depend objects, which are updated in between: they are recorded as plain entries.
//
// args: 5
// expect: tasks == 3 * out('rounds')
// expect: param('depend inout') == 2 * out('rounds')
// expect: param('depend in') == out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 5);
    int x = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
        for (int i = 0; i < n; i++) {
#pragma omp task depend(depobj : object) shared(x)
            x++;
#pragma omp depobj(object) update(in)
#pragma omp task depend(depobj : object) shared(x)
            CHECK(x == 2 * i + 1);
#pragma omp depobj(object) update(inout)
#pragma omp task depend(depobj : object) shared(x)
            x++;
        }
#pragma omp taskwait
#pragma omp depobj(object) destroy
    }
    CHECK(x == 2 * n);
    printf("rounds %d\n", n);
    return 0;
}
