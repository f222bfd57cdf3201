// A list of dependences made by an iterator.
//
// args: 7
// expect: tasks == 2 * out('width')
// expect: param('depend inout') == out('width') + out('width')
// expect: param('depend in') == out('width') * (out('width') - 1)
#include "check.h"

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 7);
    int x[16] = {0}, y[16] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task depend(out : x[i]) shared(x)
            x[i] = i + 1;
        }
        for (int i = 0; i < n; i++) {
#pragma omp task depend(iterator(k = 1 : n), in : x[k]) depend(out : y[i]) shared(x, y)
            for (int k = 1; k < n; k++) {
                y[i] += x[k];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        CHECK(y[i] == n * (n + 1) / 2 - 1);
    }
    printf("width %d\n", n);
    return 0;
}
