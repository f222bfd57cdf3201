// A task with if(0) that depends by inoutset, with several entries. (libomp 16 sometimes crashes
// here, with a tool and without.)
//
// attempts: 3
// args: 200
// grow: 300
// threads[libomp < 19]: none
// expect: tasks == 2 * out('rounds')
// expect: completed == tasks
// expect: param('depend inoutset') == 8 * out('rounds')
// expect: param('depend inout') == 2 * out('rounds')
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 200);
    atomic_int x = 0;
    int a[8];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a[0], a[1]) shared(x)
        atomic_fetch_add(&x, 1);
#pragma omp task if (0) depend(inoutset : a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]) shared(x)
        atomic_fetch_add(&x, 1);
    }
    CHECK(x == 2 * n);
    printf("x %d\nrounds %d\n", x, n);
    return 0;
}
