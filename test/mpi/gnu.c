// Ranks that create tasks. GCC compiles them, so that OpenMP is recorded only on LLVM's runtime.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, done = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
#pragma omp atomic
        done++;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d: %d tasks\n", rank, done);
    MPI_Finalize();
    return 0;
}
