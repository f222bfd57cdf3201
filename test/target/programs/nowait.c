// Target tasks: nowait, with dependences on each other and on tasks of the host, from all members
// of a team.
#include "offload.h"

enum { N = 64, ROUNDS = 4 };

static void chain(int *x)
{
#pragma omp target enter data map(to : x[0 : N]) nowait depend(out : x[0])
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp target nowait map(tofrom : x[0 : N]) depend(inout : x[0])
        for (int i = 0; i < N; i++) {
            x[i]++;
        }
    }
#pragma omp target update from(x[0 : N]) nowait depend(inout : x[0])
#pragma omp task depend(in : x[0])
    CHECK(x[0] == ROUNDS && x[N - 1] == ROUNDS);
#pragma omp target exit data map(release : x[0 : N]) nowait depend(inout : x[0])
#pragma omp taskwait
}

int main(void)
{
    int x[2][N] = {{0}};
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++) {
        chain(x[i]);
    }
    printf("x %d %d\n", x[0][1], x[1][N - 1]);
    return 0;
}
