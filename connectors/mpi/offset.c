// Measures clock offsets by ping-pong between rank 0 and each other rank, one rank after another.
// The shortest round determines the offset.
#include "offset.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "otter/record.h"
#include "weak.h"

enum { N_ROUNDS = 10 };

// Rank 0 answers with its time.
static void answer(int rank, MPI_Comm comm)
{
    for (int i = 0; i < N_ROUNDS; i++) {
        uint64_t time;
        PMPI_Recv(&time, 1, MPI_UINT64_T, rank, 0, comm, MPI_STATUS_IGNORE);
        time = otter_now();
        PMPI_Send(&time, 1, MPI_UINT64_T, rank, 0, comm);
    }
}

// Rank 0 reads its clock in each round of this process. The offset refers to the middle of the
// shortest round and is uncertain by half of its length.
static void ask(MPI_Comm comm, struct offset *result)
{
    uint64_t shortest = UINT64_MAX, at = 0;
    int64_t offset = 0;
    for (int i = 0; i < N_ROUNDS; i++) {
        uint64_t theirs = 0, begin = otter_now();
        PMPI_Send(&begin, 1, MPI_UINT64_T, 0, 0, comm);
        PMPI_Recv(&theirs, 1, MPI_UINT64_T, 0, 0, comm, MPI_STATUS_IGNORE);
        uint64_t round = otter_now() - begin;
        if (round < shortest) {
            shortest = round;
            at = begin + round / 2;
            offset = (int64_t)(theirs - at);
        }
    }
    snprintf(result->text, sizeof(result->text), "%" PRIu64 " %" PRId64 " %" PRIu64, at, offset,
             (shortest + 1) / 2);
}

// The messages use a communicator of their own, since messages of the program may be in flight.
bool offset_measure(struct offset *offset)
{
    MPI_Comm comm;
    int rank = 0, size = 1;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(otter_setting("mpi-offsets"), "on") != 0 || size == 1 ||
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS) {
        return false;
    }
    PMPI_Comm_rank(comm, &rank);
    for (int i = 1; i < size; i++) {
        if (rank == 0) {
            answer(i, comm);
        } else if (rank == i) {
            ask(comm, offset);
        }
    }
    PMPI_Comm_free(&comm);
    return rank > 0;
}
