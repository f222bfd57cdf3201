// The tasks of an LU decomposition of n x n tiles.
#include "play.h"

static char tile[16][16];

static void step(int k, int n)
{
#pragma omp task depend(inout : tile[k][k]) // @diagonal
    body();
    created();
    for (int j = k + 1; j < n; j++) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[k][j]) // @row
        body();
        created();
    }
    for (int i = k + 1; i < n; i++) {
#pragma omp task depend(in : tile[k][k]) depend(inout : tile[i][k]) // @column
        body();
        created();
    }
    for (int i = k + 1; i < n; i++) {
        for (int j = k + 1; j < n; j++) {
#pragma omp task depend(in : tile[i][k], tile[k][j]) depend(inout : tile[i][j]) // @inner
            body();
            created();
        }
    }
}

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 3);
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    for (int k = 0; k < n; k++) {
        step(k, n);
    }
    return 0;
}
