// n x n tasks, each of which depends on its neighbours above and to the left.
#include "play.h"

static char cell[32][32];

int main(int argc, char **argv)
{
    int n = (int)argument(argc, argv, 2, 3);
    play(argc, argv);
#pragma omp parallel // @parallel
#pragma omp single   // @single
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) // @cell
            body();
            created();
        }
    }
    return 0;
}
