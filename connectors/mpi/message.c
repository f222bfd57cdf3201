// Records messages.
#include "message.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "communicator.h"
#include "request.h"

static uint64_t bytes_of(MPI_Count count, MPI_Datatype type)
{
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return size > 0 && count > 0 ? (uint64_t)size * (uint64_t)count : 0;
}

// Fills in communicator and partner. *Returns* false if the message cannot be recorded because its
// partner is MPI_PROC_NULL or its communicator has no definition.
static bool address(MPI_Comm comm, int partner, struct otter_message *message)
{
    struct communicator about = communicator_of(comm);
    message->communicator = about.id;
    message->partner = (uint32_t)partner + (about.is_inter ? about.far : 0);
    return about.id && partner >= 0;
}

// ---- blocking

static bool describe(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type,
                     struct otter_message *message)
{
    if (!address(comm, to, message)) {
        return false;
    }
    message->tag = (uint32_t)tag;
    message->bytes = bytes_of(count, type);
    return true;
}

void message_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type)
{
    struct otter_message message = {0};
    if (describe(comm, to, tag, count, type, &message)) {
        otter_message(OTTER_MESSAGE_SEND, &message);
    }
}

static bool describe_received(MPI_Comm comm, const MPI_Status *status,
                              struct otter_message *message)
{
    MPI_Count bytes = 0;
    if (!address(comm, status->MPI_SOURCE, message)) {
        return false;
    }
    PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
    message->tag = (uint32_t)status->MPI_TAG;
    message->bytes = bytes > 0 ? (uint64_t)bytes : 0;
    return true;
}

void message_received(MPI_Comm comm, const MPI_Status *status)
{
    struct otter_message message = {0};
    if (describe_received(comm, status, &message)) {
        otter_message(OTTER_MESSAGE_RECV, &message);
    }
}

// ---- requests

uint64_t message_begin_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type)
{
    struct otter_message message = {0};
    if (!describe(comm, to, tag, count, type, &message)) {
        return 0;
    }
    message.request = request_number();
    otter_message(OTTER_MESSAGE_ISEND, &message);
    return message.request;
}

void message_end_send(uint64_t number, MPI_Request handle)
{
    const struct request request = {.kind = REQUEST_SEND, .message = {.request = number}};
    if (number) {
        request_add(handle, &request);
    }
}

uint64_t message_begin_recv(MPI_Comm comm, int from)
{
    if (from == MPI_PROC_NULL || communicator_of(comm).id == 0) {
        return 0;
    }
    const struct otter_message message = {.request = request_number()};
    otter_message(OTTER_MESSAGE_RECV_POSTED, &message);
    return message.request;
}

void message_end_recv(uint64_t number, MPI_Comm comm, MPI_Request handle)
{
    const struct request request = {
        .kind = REQUEST_RECV, .comm = comm, .message = {.request = number}};
    if (number) {
        request_add(handle, &request);
    }
}

void message_init_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type,
                       MPI_Request handle)
{
    struct request request = {.kind = REQUEST_SEND, .is_persistent = true};
    if (describe(comm, to, tag, count, type, &request.message)) {
        request_add(handle, &request);
    }
}

void message_init_recv(MPI_Comm comm, int from, MPI_Request handle)
{
    const struct request request = {.kind = REQUEST_RECV, .is_persistent = true, .comm = comm};
    if (from != MPI_PROC_NULL && communicator_of(comm).id) {
        request_add(handle, &request);
    }
}

void message_start(int n, const MPI_Request *requests)
{
    struct request request;
    for (int i = 0; i < n; i++) {
        if (request_start(requests[i], &request)) {
            otter_message(request.kind == REQUEST_SEND ? OTTER_MESSAGE_ISEND
                                                       : OTTER_MESSAGE_RECV_POSTED,
                          &request.message);
        }
    }
}

// ---- matched messages

enum { N_MATCHED = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects the table
static struct {
    bool is_used;
    MPI_Message message;
    MPI_Comm comm;
} matched[N_MATCHED];

// If there is no room for a message, it is received without a record.
void message_matched(MPI_Message message, MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < N_MATCHED; i++) {
        if (!matched[i].is_used) {
            matched[i].is_used = true;
            matched[i].message = message;
            matched[i].comm = comm;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

MPI_Comm message_comm(MPI_Message message)
{
    MPI_Comm comm = MPI_COMM_NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < N_MATCHED; i++) {
        if (matched[i].is_used && matched[i].message == message) {
            matched[i].is_used = false;
            comm = matched[i].comm;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return comm;
}

// ---- completion

static void complete_recv(const struct request *request, const MPI_Status *status)
{
    struct otter_message message = {.request = request->message.request};
    if (describe_received(request->comm, status, &message)) {
        otter_message(OTTER_MESSAGE_IRECV, &message);
    }
}

void message_complete(MPI_Request handle, const MPI_Status *status)
{
    struct request request;
    int is_cancelled = 0;
    if (handle == MPI_REQUEST_NULL || !request_complete(handle, &request)) {
        return;
    }
    if (request.is_cancelled) {
        PMPI_Test_cancelled(status, &is_cancelled);
    }
    if (is_cancelled) {
        otter_message(OTTER_MESSAGE_CANCELLED, &request.message);
        return;
    }
    switch (request.kind) {
    case REQUEST_SEND: otter_message(OTTER_MESSAGE_SENT, &request.message); break;
    case REQUEST_RECV: complete_recv(&request, status); break;
    case REQUEST_COLLECTIVE: otter_collective_end(&request.collective); break;
    }
}

MPI_Status *message_list_begin(struct message_list *list, int n, const MPI_Request *requests,
                               MPI_Status *statuses)
{
    int before = errno;
    bool is_ignored = statuses == MPI_STATUSES_IGNORE;
    list->n = n > 0 ? n : 0;
    list->room = NULL;
    list->handles = list->small;
    list->statuses = is_ignored ? list->small_statuses : statuses;
    if (n > MESSAGE_SMALL) {
        list->handles = malloc((size_t)n * sizeof(*list->handles));
        list->statuses = is_ignored ? malloc((size_t)n * sizeof(*statuses)) : statuses;
    }
    list->room = is_ignored ? list->statuses : NULL;
    if (!list->handles || !list->statuses) {
        list->n = 0;
        errno = before;
        return statuses;
    }
    for (int i = 0; i < list->n; i++) {
        list->handles[i] = requests[i];
    }
    errno = before;
    return list->statuses;
}

void message_list_end(struct message_list *list)
{
    int before = errno;
    if (list->handles != list->small) {
        free(list->handles);
    }
    if (list->room != list->small_statuses) {
        free(list->room);
    }
    errno = before;
}

void message_complete_all(const struct message_list *list)
{
    for (int i = 0; i < list->n; i++) {
        message_complete(list->handles[i], &list->statuses[i]);
    }
}

void message_complete_some(const struct message_list *list, int n, const int *indexes)
{
    for (int i = 0; i < n && list->n > 0; i++) { // n: MPI_UNDEFINED, below 0, without requests
        message_complete(list->handles[indexes[i]], &list->statuses[i]);
    }
}

void message_complete_any(const struct message_list *list, int index, const MPI_Status *status)
{
    if (index >= 0 && index < list->n) { // index may be MPI_UNDEFINED
        message_complete(list->handles[index], status);
    }
}
