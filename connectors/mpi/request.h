// The program's incomplete requests, by handle.
//
// One handle may stand for several requests: MPI returns the same handle for all sends that
// complete immediately. *Thread*: any; each call locks a part of the table.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "otter/record.h"
#include "weak.h"

enum request_kind { REQUEST_SEND, REQUEST_RECV, REQUEST_COLLECTIVE };

struct request {
    enum request_kind kind;
    bool is_persistent, is_active, is_cancelled; // active: started and not complete
    MPI_Comm comm;                               // communicator of a receive
    struct otter_message message;                // a send; for a receive, only its request number
    struct otter_collective_operation collective;
};

// *Returns* a number that no other request of the process has.
uint64_t request_number(void);

// Stores a copy, unless memory has run out or the handle is MPI_REQUEST_NULL.
void request_add(MPI_Request handle, const struct request *request);

// Starts a persistent request, with a new number. *Returns* false if there is none; otherwise
// *request is a copy.
bool request_start(MPI_Request handle, struct request *request);

void request_cancel(MPI_Request handle);

// Completes the oldest request of the handle, and removes it unless it is persistent. *Returns*
// false if there is none; otherwise *request is a copy.
bool request_complete(MPI_Request handle, struct request *request);

// Removes the oldest request of the handle.
void request_free(MPI_Request handle);
