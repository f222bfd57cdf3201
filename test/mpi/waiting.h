// How a rank knows that others wait for it in an MPI call.
//
// A rank that will wait calls announce_to(WHOM), and its next waiting MPI call sends a message
// to WHOM. By then, the start of the call is recorded: Otter calls the program's functions
// PMPI_..., which call the library's. Otter records no calls of PMPI_ functions.
#pragma once

#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

enum { NOBODY = -1 };

static int whom = NOBODY;
static MPI_Comm waiting_comm;

static void init_waiting(void)
{
    PMPI_Comm_dup(MPI_COMM_WORLD, &waiting_comm);
}

static void announce(void)
{
    if (whom != NOBODY) {
        PMPI_Send(NULL, 0, MPI_INT, whom, 0, waiting_comm);
        whom = NOBODY;
    }
}

// Without Otter, no MPI call reaches the functions below.
static void announce_to(int rank)
{
    whom = rank;
    if (getenv("OTTER_MPI")) {
        announce();
    }
}

// Returns when `n` ranks have announced that they wait for this one.
static void await_waiters(int n)
{
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) =
        dlsym(RTLD_NEXT, "PMPI_Recv");
    for (int i = 0; i < n; i++) {
        receive(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, waiting_comm, MPI_STATUS_IGNORE);
    }
}

int PMPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    int (*next)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *) =
        dlsym(RTLD_NEXT, "PMPI_Recv");
    announce();
    return next(data, count, type, from, tag, comm, status);
}

int PMPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int (*next)(int, MPI_Request *, MPI_Status *) = dlsym(RTLD_NEXT, "PMPI_Waitall");
    announce();
    return next(count, requests, statuses);
}

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm)
{
    int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) =
        dlsym(RTLD_NEXT, "PMPI_Allreduce");
    announce();
    return next(in, out, count, type, operation, comm);
}

// A test takes 5 ms, so that a loop of tests spends most of its time in them.
static void take_long(void)
{
    nanosleep(&(struct timespec){0, 5000000}, NULL);
}

int PMPI_Test(MPI_Request *request, int *is_done, MPI_Status *status)
{
    int (*next)(MPI_Request *, int *, MPI_Status *) = dlsym(RTLD_NEXT, "PMPI_Test");
    announce();
    take_long();
    return next(request, is_done, status);
}

int PMPI_Iprobe(int from, int tag, MPI_Comm comm, int *is_there, MPI_Status *status)
{
    int (*next)(int, int, MPI_Comm, int *, MPI_Status *) = dlsym(RTLD_NEXT, "PMPI_Iprobe");
    announce();
    take_long();
    return next(from, tag, comm, is_there, status);
}
