// Programs whose critical path across ranks is known: path MODE
//
// A rank that others wait for starts its work when it knows that they wait: await_waiters(). So the
// path is the same however the system schedules the ranks.
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "waiting.h"

static int rank, size;

static void nap(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// The master thread executes for at least this long, whatever else the machine does. It starts when
// the other thread has arrived, so that the end of the region waits for no late thread.
static void work(double seconds)
{
    atomic_int n_there = 0;
#pragma omp parallel num_threads(2)
    {
        atomic_fetch_add(&n_there, 1);
#pragma omp masked
        {
            while (atomic_load(&n_there) < omp_get_num_threads()) {
                nap(0.001);
            }
            nap(seconds);
        }
    }
}

// A token moves twice around all ranks, and each rank that gets it works.
static void ring(void)
{
    int token = 0;
    for (int round = 0; round < 2; round++) {
        bool is_last = rank == size - 1 && round == 1;
        if (rank > 0 || round > 0) {
            announce_to((rank + size - 1) % size);
            MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        }
        await_waiters(is_last ? 0 : 1);
        work(0.1);
        token++;
        if (!is_last) {
            MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
        }
    }
}

// Rank 1 arrives last at each collective operation.
static void late(void)
{
    int one = 1, sum;
    for (int i = 0; i < 6; i++) {
        await_waiters(rank == 1 ? size - 1 : 0);
        work(rank == 1 ? 0.15 : 0.01);
        announce_to(rank == 1 ? NOBODY : 1);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

// Rank 0 waits for the result of any worker, and does no work itself.
static void master(void)
{
    enum { TASKS = 3 };
    int result = 0;
    if (rank > 0) {
        for (int i = 0; i < TASKS; i++) {
            work(0.3);
            MPI_Send(&result, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
            MPI_Recv(&result, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        return;
    }
    for (int i = 0; i < TASKS * (size - 1); i++) {
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&result, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Send(&result, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD);
    }
}

// Neighbours exchange halos; rank 1 computes longer.
static void halo(void)
{
    double out = rank, in[2];
    for (int i = 0; i < 5; i++) {
        MPI_Request requests[4];
        int left = (rank + size - 1) % size, right = (rank + 1) % size;
        await_waiters(rank == 1 ? size - 1 : 0);
        work(rank == 1 ? 0.15 : 0.01);
        announce_to(rank == 1 ? NOBODY : 1);
        MPI_Irecv(&in[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&in[1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&out, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&out, 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

// Rank 0 polls for messages that rank 1 sends late: with tests, and with probes.
static void poll(void)
{
    int value = 0;
    for (int i = 0; i < 6; i++) {
        MPI_Request request;
        int is_there = 0;
        announce_to(1);
        if (rank == 1) {
            await_waiters(1);
            work(0.03);
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        } else if (rank == 0 && i % 2 == 0) {
            MPI_Irecv(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            while (!is_there) {
                MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
            }
        } else if (rank == 0) {
            while (!is_there) {
                MPI_Iprobe(1, i, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
            }
            MPI_Recv(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    work(rank == 0 ? 1 : 0);
}

// Rank 2 sends late, so that rank 1 receives late and sends to rank 0 late.
static void chain(void)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        if (rank == 2) {
            await_waiters(2);
            work(0.2);
        }
        if (rank < 2) {
            announce_to(2);
            MPI_Recv(&value, 1, MPI_INT, rank + 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank > 0) {
            MPI_Send(&value, 1, MPI_INT, rank - 1, i, MPI_COMM_WORLD);
        }
    }
}

// Rank 1 dies before it receives the second message of rank 0.
static void dies(void)
{
    int value = 0;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        announce_to(1);
        announce();
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        await_waiters(1);
        kill(getpid(), SIGKILL);
    }
    for (;;) {
        nap(1); // the launcher kills this rank too
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"ring", ring}, {"late", late},   {"master", master}, {"halo", halo},
                 {"poll", poll}, {"chain", chain}, {"dies", dies}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    init_waiting();
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (argc > 1 && strcmp(modes[i].name, argv[1]) == 0) {
            modes[i].run();
        }
    }
    MPI_Finalize();
    return 0;
}
