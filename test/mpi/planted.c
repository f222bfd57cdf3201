// Jobs with one planted fault each, named by the first argument: planted.py knows the rank and the
// cause. Ranks nap instead of working, so that load on the machine does not matter; only `crowd`
// computes. The second argument is a file that the ranks share, so that the late rank naps after
// all others have arrived.
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 12, MS = 1000000 };

static int rank, size;
static atomic_int *arrived; // of each round

static void nap(int ms)
{
    struct timespec time = {0, (long)ms * MS};
    nanosleep(&time, NULL);
}

// The late rank naps for `ms` after `n` others have arrived. So it is the last under any load, even
// if the others keep the processors while they wait.
static void arrive(int round, bool is_late, int n, int ms)
{
    if (!is_late) {
        atomic_fetch_add(&arrived[round], 1);
        return;
    }
    while (atomic_load(&arrived[round]) < n) {
        nap(1);
    }
    nap(ms);
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
    nap(10);
    arrive(round, rank == 2, size - 1, 20);
    sum(MPI_COMM_WORLD);
}

// Rank 1 works before it sends, the others after they receive: all do the same amount of work.
static void sender(int round)
{
    sum(MPI_COMM_WORLD);
    arrive(round, rank == 1, size - 1, 15);
    if (rank == 1) {
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
    nap(3);
    arrive(round, rank == 0, size - 1, 22);
    if (rank > 0) {
        receive(rank - 1, 1);
    }
    if (rank < size - 1) {
        send(rank + 1, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

// The master prepares each item for longer than a worker needs to process it. A fast worker may get
// two items in a round; each worker gets ROUNDS items in all.
static void master(int round)
{
    (void)round;
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Status status;
            int value;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            nap(10);
            send(status.MPI_SOURCE, 2);
        }
    } else {
        send(0, 1);
        receive(0, 2);
        nap(5);
    }
}

static void halo(int round)
{
    MPI_Request requests[4];
    int in[2], left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Irecv(&in[0], 1, MPI_INT, left, round, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, right, round, MPI_COMM_WORLD, &requests[1]);
    nap(10);
    arrive(round, rank == 2, size - 1, 20);
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
    nap(10);
    if (rank >= 2) {
        arrive(round, rank == 3, 1, 20);
    }
    sum(half);
    if (round == ROUNDS - 1) {
        MPI_Comm_free(&half);
    }
}

// A nap that is longer than MPI_Comm_dup or a fence of four ranks that poll on two processors.
enum { LONG_MS = 200 };

// The only waits are in MPI_Comm_dup.
static void duplicate(int round)
{
    MPI_Comm copy;
    nap(10);
    arrive(round, rank == 1, size - 1, LONG_MS);
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
    nap(10);
    arrive(round, rank == 1, size - 1, LONG_MS);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (round == ROUNDS - 1) {
        MPI_Win_free(&window);
    }
}

// Rank 1 sleeps for longer than the others.
static void asleep(int round)
{
    nap(5);
    arrive(round, rank == 1, size - 1, 55);
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
    sum(MPI_COMM_WORLD);
    arrive(round, rank == 1, size - 1, 15);
    if (rank == 1) {
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
    arrive(round, rank == 3, size - 1, 15);
    MPI_Bcast(&value, 1, MPI_INT, 3, MPI_COMM_WORLD);
    if (rank != 3) {
        nap(15);
    }
}

// All ranks do equal work; then only rank 0 writes.
static void serial(int round)
{
    nap(8);
    sum(MPI_COMM_WORLD);
    arrive(round, rank == 0, size - 1, 20);
    MPI_Barrier(MPI_COMM_WORLD);
}

// The ranks take turns to be slow, so no rank has more work than another.
static void turns(int round)
{
    nap(round % size == rank ? 30 : 5);
    sum(MPI_COMM_WORLD);
}

static void share(const char *path)
{
    int file = open(path, O_RDWR);
    arrived = mmap(NULL, ROUNDS * sizeof *arrived, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (arrived == MAP_FAILED) {
        abort();
    }
    close(file);
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
    if (argc != 3) {
        return 1;
    }
    share(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bool is_wanted = strcmp(argv[1], faults[i].name) == 0;
        for (int round = 0; round < ROUNDS && is_wanted; round++) {
            faults[i].run(round);
        }
    }
    MPI_Finalize();
    return 0;
}
