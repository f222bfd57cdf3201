// Overwrites its options before MPI starts, as programs do that hide a password.
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        memset(argv[i], '*', strlen(argv[i]));
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
