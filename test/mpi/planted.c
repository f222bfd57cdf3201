// Jobs with one planted fault each, named by the first argument: planted.py knows rank and cause.
// Work is a nap, so that the load of the machine does not matter; `crowd` computes.
#include <mpi.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 12, MS = 1000000, STOP = 99 };

static int rank, size;

static void nap(int ms)
{
    struct timespec time = {0, (long)ms * MS};
    nanosleep(&time, NULL);
}

static void compute(int ms)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000L * MS + now.tv_nsec - begin.tv_nsec <
             (long)ms * MS);
}

static void sum(MPI_Comm comm)
{
    int value = rank;
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm);
}

static void send(int to, int tag)
{
    MPI_Send(&rank, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void receive(int from, int tag)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void imbalance(int round)
{
    (void)round;
    nap(rank == 2 ? 30 : 10);
    sum(MPI_COMM_WORLD);
}

// Rank 1 works before it sends, the others after the receive: their work is equal.
static void sender(int round)
{
    (void)round;
    sum(MPI_COMM_WORLD);
    if (rank == 1) {
        nap(15);
        for (int i = 0; i < size; i++) {
            if (i != 1) {
                send(i, 1);
            }
        }
    } else {
        receive(1, 1);
        nap(15);
    }
}

// Rank 0 is slow, and the ranks after it only pass its delay on.
static void chain(int round)
{
    (void)round;
    nap(rank == 0 ? 25 : 3);
    if (rank > 0) {
        receive(rank - 1, 1);
    }
    if (rank < size - 1) {
        send(rank + 1, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// The master prepares each item for longer than a worker needs for it.
static void master(int round)
{
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Status status;
            int value;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            nap(10);
            send(status.MPI_SOURCE, round == ROUNDS - 1 ? STOP : 2);
        }
    } else {
        send(0, 1);
        receive(0, round == ROUNDS - 1 ? STOP : 2);
        nap(5);
    }
}

static void halo(int round)
{
    MPI_Request requests[4];
    int in[2], left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Irecv(&in[0], 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[1]);
    nap(rank == 2 ? 30 : 10);
    MPI_Isend(&rank, 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&rank, 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

// Rank 3 delays its half directly.
static void split(int round)
{
    static MPI_Comm half;
    if (round == 0) {
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    }
    nap(rank == 3 ? 30 : 10);
    sum(half);
    if (round == ROUNDS - 1) {
        MPI_Comm_free(&half);
    }
}

// The only waits are in MPI_Comm_dup.
static void duplicate(int round)
{
    MPI_Comm copy;
    (void)round;
    nap(rank == 1 ? 30 : 10);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
}

static void onesided(int round)
{
    static MPI_Win window;
    static int values[256];
    if (round == 0) {
        MPI_Win_create(values, sizeof values, sizeof *values, MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window);
        MPI_Win_fence(0, window);
    }
    nap(rank == 1 ? 30 : 10);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (round == ROUNDS - 1) {
        MPI_Win_free(&window);
    }
}

// Rank 1 sleeps for longer than the others.
static void asleep(int round)
{
    (void)round;
    if (rank == 1) {
        nap(60);
    } else {
        nap(5);
    }
    sum(MPI_COMM_WORLD);
}

static void crowd(int round)
{
    (void)round;
    compute(15);
    sum(MPI_COMM_WORLD);
}

// Rank 1 works before it receives, the sender after the send.
static void receiver(int round)
{
    (void)round;
    sum(MPI_COMM_WORLD);
    if (rank == 1) {
        nap(15);
        for (int i = 0; i < size; i++) {
            if (i != 1) {
                receive(i, 1);
            }
        }
    } else {
        MPI_Ssend(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        nap(15);
    }
}

static void root(int round)
{
    int value = round;
    sum(MPI_COMM_WORLD);
    if (rank == 3) {
        nap(15);
    }
    MPI_Bcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD);
    if (rank != 3) {
        nap(15);
    }
}

// Rank 0 alone writes, after equal work of all.
static void serial(int round)
{
    (void)round;
    nap(8);
    sum(MPI_COMM_WORLD);
    if (rank == 0) {
        nap(20);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// Each rank is slow in its turn: no rank has more work than another.
static void turns(int round)
{
    nap(round % size == rank ? 30 : 5);
    sum(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int round);
    } faults[] = {
        {"imbalance", imbalance}, {"sender", sender},     {"chain", chain},
        {"master", master},       {"halo", halo},         {"split", split},
        {"duplicate", duplicate}, {"onesided", onesided}, {"sleep", asleep},
        {"crowd", crowd},         {"receiver", receiver}, {"root", root},
        {"serial", serial},       {"turns", turns},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bool is_wanted = argc > 1 && strcmp(argv[1], faults[i].name) == 0;
        for (int round = 0; round < ROUNDS && is_wanted; round++) {
            faults[i].run(round);
        }
    }
    MPI_Finalize();
    return 0;
}
