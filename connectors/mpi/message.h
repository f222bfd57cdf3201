// Messages: blocking ones and those with requests.
//
// These functions run inside a recorded call; those that record an end run only if the call
// succeeded. *Thread*: any.
#pragma once

#include <stdint.h>

#include "weak.h"

// ---- blocking

void message_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type);
void message_received(MPI_Comm comm, const MPI_Status *status);

// A message that MPI_Mprobe has matched keeps its communicator.
void message_matched(MPI_Message message, MPI_Comm comm);
MPI_Comm message_comm(MPI_Message message);

// ---- requests. Begin returns the request's number for end; 0: there is no message to record

uint64_t message_begin_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type);
void message_end_send(uint64_t number, MPI_Request request);
uint64_t message_begin_recv(MPI_Comm comm, int from);
void message_end_recv(uint64_t number, MPI_Comm comm, MPI_Request request);

void message_init_send(MPI_Comm comm, int to, int tag, MPI_Count count, MPI_Datatype type,
                       MPI_Request request);
void message_init_recv(MPI_Comm comm, int from, MPI_Request request);
void message_start(int n, const MPI_Request *requests);

// ---- completion. Request handles are copies from before the call, since MPI overwrites the
// originals

void message_complete(MPI_Request handle, const MPI_Status *status);

enum { MESSAGE_SMALL = 32 };

// Copies of the arguments of a call with several requests.
struct message_list {
    int n; // 0: memory has run out, and nothing is recorded
    MPI_Request *handles;
    MPI_Status *statuses; // the program's, or `room`
    MPI_Status *room;
    MPI_Request small[MESSAGE_SMALL];
    MPI_Status small_statuses[MESSAGE_SMALL];
};

// Copies the handles. `statuses` are the program's, perhaps MPI_STATUSES_IGNORE. *Returns* the
// statuses to pass to MPI. message_list_end() frees the copies.
MPI_Status *message_list_begin(struct message_list *list, int n, const MPI_Request *requests,
                               MPI_Status *statuses);
void message_list_end(struct message_list *list);

// Called when all requests in the list are complete, or the `n` requests with the given indexes;
// statuses[i] belongs to indexes[i].
void message_complete_all(const struct message_list *list);
void message_complete_some(const struct message_list *list, int n, const int *indexes);
// Called after MPI_Waitany and MPI_Testany.
void message_complete_any(const struct message_list *list, int index, const MPI_Status *status);
