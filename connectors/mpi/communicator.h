// The communicators of the program, by handle.
//
// No function here communicates, since some ranks of the job may not be recorded, and a tool's
// messages could match the messages of those ranks. So each member computes a communicator's
// identity from the ordered list of members and the number of communicators in use with that list.
// MPI requires all members to create and free these communicators in the same order.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "weak.h"

struct communicator {
    uint32_t id;   // result of otter_communicator_define(); 0: messages are not recorded
    uint32_t size; // number of members; for an intercommunicator, of both groups
    uint32_t rank; // rank of this process
    uint32_t far;  // index of the remote group's first member, for an intercommunicator
    bool is_inter;
};

// Adds MPI_COMM_WORLD and MPI_COMM_SELF. Runs when MPI is initialised.
void communicator_begin(void);

// Adds a new communicator, which may be MPI_COMM_NULL, or removes one that is freed. Called even
// while nothing is recorded.
void communicator_add(MPI_Comm handle);
void communicator_remove(MPI_Comm handle);

// *Returns* the communicator; if it is unknown, one with id 0. Takes no lock.
struct communicator communicator_of(MPI_Comm handle);
