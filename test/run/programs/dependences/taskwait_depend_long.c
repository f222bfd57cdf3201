// Waits with long lists of entries: repeated entries, in loops, in nested tasks, and without a
// predecessor.
//
// attempts: 3
// args: 20
// grow: 30
//
// expect: tasks == 45 * out('rounds')
// expect: enters('taskwait depend') == 4 * out('rounds')
// expect: param('depend mutexinoutset') == 51 * out('rounds')
// expect: param('depend inout') == 42 * out('rounds')
// expect: param('depend in') == 81 * out('rounds')
#include "check.h"

enum { N = 40 };

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 20);
    int a[N] = {0}, first = 0, second = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < N; k++) {
#pragma omp task depend(out : a[k]) shared(a)
            a[k] = i;
        }
#pragma omp taskwait depend(iterator(k = 0 : N), in : a[k]) depend(in : a[0])
        for (int k = 0; k < N; k++) {
            CHECK(a[k] == i);
        }
#pragma omp task if (0) depend(iterator(k = 0 : N), mutexinoutset : a[k])                          \
    depend(mutexinoutset : a[1], first) depend(inout : a[2])
        first++;
#pragma omp task shared(second)
        {
#pragma omp task if (0) depend(mutexinoutset : second) shared(second)
            second++;
#pragma omp task if (0) depend(mutexinoutset : second, first)                                      \
    depend(iterator(k = 0 : N), in : a[k])                                                         \
    depend(mutexinoutset : a[3], a[4], a[5], a[6], a[7], a[8]) shared(second)
            second++;
        }
#pragma omp task depend(inout : first) shared(first)
        CHECK(first == i + 1);
#pragma omp taskwait
    }
    CHECK(first == n && second == 2 * n);
    printf("rounds %d\n", n);
    return 0;
}
