// Calls of MPI in many ways. Each rank prints its own counts: calls.py compares them with the
// records of the archive.
//
// usage: calls MODE [LEVEL]
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static long n_sends, n_recvs, n_collectives, sent_bytes, received_bytes;
static double result;

static void count_send(long bytes)
{
#pragma omp atomic
    n_sends++;
#pragma omp atomic
    sent_bytes += bytes;
}

static void count_recv(long bytes)
{
#pragma omp atomic
    n_recvs++;
#pragma omp atomic
    received_bytes += bytes;
}

static void send(const void *data, int bytes, int to, int tag, MPI_Comm comm)
{
    count_send(bytes);
    MPI_Send(data, bytes, MPI_BYTE, to, tag, comm);
}

static void receive(void *data, int bytes, int from, int tag, MPI_Comm comm)
{
    count_recv(bytes);
    MPI_Recv(data, bytes, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
}

// ---- a one-dimensional grid whose borders neighbours exchange, and tasks that compute

enum { N = 256, STEPS = 5, TASKS = 4 };

static void compute(double *new, const double *old)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < TASKS; t++) {
#pragma omp task firstprivate(t)
        for (int i = 1 + t * N / TASKS; i < 1 + (t + 1) * N / TASKS; i++) {
            new[i] = 0.25 * (old[i - 1] + 2 * old[i] + old[i + 1]);
        }
    }
}

static void halo(void)
{
    static double grid[2][N + 2];
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 1; i <= N; i++) {
        grid[0][i] = rank * N + i;
    }
    for (int step = 0; step < STEPS; step++) {
        double *now = grid[step % 2];
        MPI_Request requests[4];
        MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&now[N + 1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(&now[N], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < (left >= 0) + (right >= 0); i++) {
            count_send(sizeof(double));
            count_recv(sizeof(double));
        }
        compute(grid[(step + 1) % 2], now);
    }
    double sum = 0;
    for (int i = 1; i <= N; i++) {
        sum += grid[STEPS % 2][i];
    }
    n_collectives++;
    MPI_Allreduce(&sum, &result, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// ---- rank 0 distributes work to the ranks that ask for it

static void master_worker(void)
{
    enum { WORK = 20 };
    int work = 0, none = -1;
    if (rank == 0) {
        for (int n = 0, n_workers = size - 1; n_workers > 0; n++) {
            MPI_Status status;
            double part;
            count_recv(sizeof(part));
            MPI_Recv(&part, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            result += part;
            work = n < WORK ? n : none;
            n_workers -= work == none;
            send(&work, sizeof(work), status.MPI_SOURCE, 9, MPI_COMM_WORLD);
        }
    } else {
        for (double part = 0; work != none; part = work) {
            send(&part, sizeof(part), 0, rank, MPI_COMM_WORLD);
            receive(&work, sizeof(work), 0, 9, MPI_COMM_WORLD);
        }
    }
}

static void collectives(void)
{
    int ones[64], many[64], spare[64], counts[64], places[64];
    for (int i = 0; i < 64; i++) {
        ones[i] = rank + 1, many[i] = spare[i] = 0, counts[i] = 1, places[i] = i;
    }
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Barrier(all);
    MPI_Bcast(ones, 4, MPI_INT, 0, all);
    MPI_Gather(ones, 1, MPI_INT, many, 1, MPI_INT, 0, all);
    MPI_Gatherv(ones, 1, MPI_INT, many, counts, places, MPI_INT, 0, all);
    MPI_Scatter(many, 1, MPI_INT, ones, 1, MPI_INT, 0, all);
    MPI_Scatterv(many, counts, places, MPI_INT, ones, 1, MPI_INT, 0, all);
    MPI_Allgather(ones, 1, MPI_INT, many, 1, MPI_INT, all);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, many, counts, places, MPI_INT, all);
    MPI_Alltoall(many, 1, MPI_INT, ones, 1, MPI_INT, all);
    MPI_Alltoallv(ones, counts, places, MPI_INT, many, counts, places, MPI_INT, all);
    MPI_Allreduce(MPI_IN_PLACE, many, 2, MPI_INT, MPI_SUM, all);
    MPI_Reduce(many, ones, 2, MPI_INT, MPI_SUM, size - 1, all);
    MPI_Reduce_scatter(many, ones, counts, MPI_INT, MPI_SUM, all);
    MPI_Reduce_scatter_block(many, ones, 1, MPI_INT, MPI_SUM, all);
    MPI_Scan(many, ones, 1, MPI_INT, MPI_SUM, all);
    MPI_Exscan(many, spare, 1, MPI_INT, MPI_SUM, all);
    MPI_Request requests[3];
    MPI_Ibarrier(all, &requests[0]);
    MPI_Ibcast(many, 2, MPI_INT, 0, all, &requests[1]);
    MPI_Iallreduce(&many[8], &ones[8], 1, MPI_INT, MPI_SUM, all, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    n_collectives += 19;
    result = many[0] + ones[8];
}

// ---- requests, completed in each way

static void complete(int way, int n, MPI_Request *requests)
{
    int n_done = 0, index, flag, indexes[8];
    MPI_Status status, statuses[8];
    while (n_done < n) {
        switch (way) {
        case 0: MPI_Waitall(n, requests, statuses), n_done = n; break;
        case 1: MPI_Waitany(n, requests, &index, &status), n_done++; break;
        case 2:
            MPI_Waitsome(n, requests, &index, indexes, MPI_STATUSES_IGNORE), n_done += index;
            break;
        case 3: MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE), n_done = flag ? n : 0; break;
        case 4:
            MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE),
                n_done += flag && index >= 0;
            break;
        case 5: MPI_Testsome(n, requests, &index, indexes, statuses), n_done += index; break;
        case 6: MPI_Wait(&requests[n_done++], MPI_STATUS_IGNORE); break;
        default:
            flag = 0;
            while (!flag) {
                MPI_Test(&requests[n_done], &flag, &status);
            }
            n_done++;
        }
    }
}

static void nonblocking(void)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, data[8];
    for (int way = 0; way < 8; way++) {
        MPI_Request requests[8];
        for (int i = 0; i < 4; i++) {
            count_recv(4), count_send(4);
            MPI_Irecv(&data[i], 1, MPI_INT, from, i, MPI_COMM_WORLD, &requests[i]);
            MPI_Isend(&way, 1, MPI_INT, to, i, MPI_COMM_WORLD, &requests[4 + i]);
        }
        complete(way, 8, requests);
        result += data[3];
    }
    MPI_Request unmatched;
    MPI_Status status;
    MPI_Irecv(data, 1, MPI_INT, from, 999, MPI_COMM_WORLD, &unmatched);
    MPI_Cancel(&unmatched);
    MPI_Wait(&unmatched, &status);
    MPI_Message message;
    MPI_Request sending;
    count_send(4), count_recv(4);
    MPI_Issend(&rank, 1, MPI_INT, to, 5, MPI_COMM_WORLD, &sending);
    MPI_Mprobe(from, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    count_send(4), count_recv(4);
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 6, data, 1, MPI_INT, from, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    count_send(4), count_recv(4);
    MPI_Sendrecv_replace(data, 1, MPI_INT, to, 7, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    result += data[0];
}

static void persistent(void)
{
    int to = (rank + 1) % size, from = (rank + size - 1) % size, data = 0, mine = rank;
    MPI_Request requests[2];
    MPI_Recv_init(&data, 1, MPI_INT, from, 3, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&mine, 1, MPI_INT, to, 3, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 6; i++) {
        count_send(4), count_recv(4);
        if (i % 2) {
            MPI_Startall(2, requests);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else {
            MPI_Start(&requests[0]), MPI_Start(&requests[1]);
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE), MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        }
        mine = data + i;
    }
    result = data;
    MPI_Request_free(&requests[0]), MPI_Request_free(&requests[1]);
}

// ---- communicators

static void sum_in(MPI_Comm comm)
{
    int one = rank + 1, sum = 0;
    n_collectives++;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    result += sum;
}

static void intercommunicator(MPI_Comm half)
{
    MPI_Comm inter, merged;
    int first = size > 1 && rank % 2 == 0, other = first ? 1 : 0, data = rank, n, my;
    if (size < 2) {
        return;
    }
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, other, 77, &inter);
    MPI_Comm_remote_size(inter, &n);
    MPI_Comm_rank(half, &my);
    if (my == 0) {
        if (first) {
            send(&data, sizeof(data), 0, 4, inter);
        } else {
            receive(&data, sizeof(data), 0, 4, inter);
        }
    }
    MPI_Intercomm_merge(inter, !first, &merged);
    sum_in(merged);
    MPI_Comm_free(&merged), MPI_Comm_free(&inter);
}

static void communicators(void)
{
    MPI_Comm dup, half, few, cart;
    MPI_Group all, group;
    int periodic = 1, dims = size, leader = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(dup, rank % 2, -rank, &half);
    sum_in(dup), sum_in(half);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &periodic, 0, &cart);
    sum_in(cart);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &leader, &group);
    if (rank == 0) {
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 5, &few);
        sum_in(few);
        MPI_Comm_free(&few);
    }
    MPI_Comm_create(MPI_COMM_WORLD, group, &few);
    if (few != MPI_COMM_NULL) {
        sum_in(few);
        MPI_Comm_free(&few);
    }
    for (int i = 0; i < 50; i++) {
        MPI_Comm again;
        MPI_Comm_dup(half, &again);
        sum_in(again);
        MPI_Comm_free(&again);
    }
    MPI_Comm_free(&half);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    intercommunicator(half);
    n_collectives += 5 + 50; // MPI_Comm_dup, MPI_Comm_split, MPI_Comm_create, MPI_Cart_create
    MPI_Group_free(&group), MPI_Group_free(&all);
    MPI_Comm_free(&cart), MPI_Comm_free(&half), MPI_Comm_free(&dup);
}

// ---- threads

static void *ring(void *tag)
{
    int data = 0, number = (int)(long)tag;
    MPI_Request request;
    count_send(4), count_recv(4);
    MPI_Isend(&rank, 1, MPI_INT, (rank + 1) % size, number, MPI_COMM_WORLD, &request);
    MPI_Recv(&data, 1, MPI_INT, (rank + size - 1) % size, number, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp atomic
    result += data;
    return NULL;
}

static void threads(int level)
{
    pthread_t thread;
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, ring, (void *)100);
        ring((void *)101);
        pthread_join(thread, NULL);
#pragma omp parallel num_threads(2)
#pragma omp single
        for (long i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
            ring((void *)i);
        }
    } else if (level == MPI_THREAD_SERIALIZED) {
#pragma omp parallel num_threads(2)
        for (int i = 0; i < 2; i++) {
#pragma omp barrier
            if (omp_get_thread_num() == i) {
                ring((void *)(long)i);
            }
        }
    } else {
#pragma omp parallel num_threads(2)
#pragma omp master
        ring((void *)1);
    }
}

static void work(double seconds)
{
    for (double end = MPI_Wtime() + seconds; MPI_Wtime() < end;) {
    }
}

// The last rank arrives late: the others wait in the barrier.
static void late(void)
{
    if (rank == size - 1) {
        work(0.3);
    }
    n_collectives++;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void print_counts(const char *mode)
{
    printf("%s rank=%d sends=%ld recvs=%ld collectives=%ld sent=%ld received=%ld result=%.17g\n",
           mode, rank, n_sends, n_recvs, n_collectives, sent_bytes, received_bytes, result);
    fflush(stdout);
}

static void end_badly(const char *mode)
{
    sum_in(MPI_COMM_WORLD);
    print_counts(mode);
    MPI_Barrier(MPI_COMM_WORLD);
    n_collectives++;
    if (strcmp(mode, "exit") == 0) {
        exit(0);
    }
    if (rank == size - 1) {
        work(0.1);
        if (strcmp(mode, "abort") == 0) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        abort();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "halo";
    int level = argc > 2 ? atoi(argv[2]) : -1, provided = MPI_THREAD_SINGLE, was = 0;
    MPI_Initialized(&was);
    if (level < 0) {
        MPI_Init(&argc, &argv);
    } else {
        MPI_Init_thread(&argc, &argv, level, &provided);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(mode, "halo") == 0) {
        halo();
    } else if (strcmp(mode, "master") == 0) {
        master_worker();
    } else if (strcmp(mode, "collectives") == 0) {
        collectives();
    } else if (strcmp(mode, "nonblocking") == 0) {
        nonblocking();
    } else if (strcmp(mode, "persistent") == 0) {
        persistent();
    } else if (strcmp(mode, "comms") == 0) {
        communicators();
    } else if (strcmp(mode, "threads") == 0) {
        threads(provided);
    } else if (strcmp(mode, "late") == 0) {
        late();
    } else {
        end_badly(mode);
    }
    print_counts(mode);
    MPI_Finalize();
    MPI_Finalized(&was);
    return !was;
}
