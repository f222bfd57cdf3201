// Tasks depend on the neighbours above and to the left; at the borders they have fewer entries.
//
// args: 7
// grow: 14
// expect: tasks == out('tasks')
// expect: param('depend in') == out('in')
// expect: param('depend inout') == out('tasks')
// expect: never_ran == 0
#include "check.h"

enum { MAX = 64 };

static long cell[MAX][MAX];

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 1, 12);
#pragma omp parallel
#pragma omp masked
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (i == 0 && j == 0) {
#pragma omp task depend(out : cell[0][0])
                cell[0][0] = 1;
            } else if (i == 0) {
#pragma omp task depend(in : cell[0][j - 1]) depend(out : cell[0][j])
                cell[0][j] = cell[0][j - 1];
            } else if (j == 0) {
#pragma omp task depend(in : cell[i - 1][0]) depend(out : cell[i][0])
                cell[i][0] = cell[i - 1][0];
            } else {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
                cell[i][j] = (cell[i - 1][j] + cell[i][j - 1]) % 1000003;
            }
        }
    }
    static long expected[MAX][MAX];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            expected[i][j] = i && j ? (expected[i - 1][j] + expected[i][j - 1]) % 1000003 : 1;
            CHECK(cell[i][j] == expected[i][j]);
        }
    }
    printf("corner %ld\ntasks %d\nin %d\n", cell[n - 1][n - 1], n * n, 2 * n * (n - 1));
    return 0;
}
