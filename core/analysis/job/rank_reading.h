// The state of a rank while its MPI calls are read. A part of rank_calls.h.
#pragma once

#include "analysis/job/rank_calls.h"
#include "analysis/job/rank_polls.h"

// The start or the end of an operation with a request. A thread may complete the request of another
// thread, so starts and ends are joined after all events have been read.
struct otter_rank_request {
    uint64_t number;
    uint32_t call;
    uint32_t send; // of a start: the index of its send; OTTER_NONE if it sends nothing
    uint8_t kind;  // of an end: enum otter_record
    struct otter_mpi_message received; // of an end
    struct otter_mpi_collective collective;
};

struct otter_rank_requests {
    OTTER_VECTOR(struct otter_rank_request);
};

struct otter_rank_reading {
    const struct otter_definitions *definitions;
    uint8_t *classes;  // of each region
    uint32_t *members; // this rank's number in each communicator; OTTER_NONE: no MPI communicator
    struct otter_rank_requests begins, ends;
    uint32_t location, region; // OTTER_NONE: in no call
    uint32_t call;             // index of the open call; OTTER_NONE: not stored yet
    uint64_t begin, last_time;
    struct otter_polls polls;
    struct otter_mpi_call probe; // the last non-blocking probe
    bool has_probe;              // ... which is not stored yet
    bool is_short_of_memory;
};

// Adds a message or a collective operation of the call with index `call`.
void otter_rank_operation_add(struct otter_rank_calls *calls, const struct otter_event *event,
                              uint32_t call);
void otter_rank_collective_add(struct otter_rank_calls *calls,
                               const struct otter_mpi_collective *collective);
// Joins starts and ends of requests, and sorts all operations by start. *Returns* false if memory
// has run out, now or while operations were added.
bool otter_rank_operations_end(struct otter_rank_calls *calls);
