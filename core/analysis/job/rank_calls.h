// The MPI calls of one rank that communicate, and what they exchange.
//
// A call without a message, a collective operation or a probe is not stored, so unsuccessful tests
// cost no memory. The last non-blocking probe before a receive is also stored.
#pragma once

#include "analysis/analysis.h"

// Why a call waited.
enum otter_wait_cause {
    OTTER_CAUSE_NONE = 0,
    OTTER_CAUSE_SENDER,   // the message was sent, or its send completed, after the call had begun
    OTTER_CAUSE_RECEIVER, // the receive was posted after the call had begun
    OTTER_CAUSE_ARRIVAL,  // another member of a collective operation began it later
    OTTER_N_CAUSES
};

// Why a call may have waited longer than its cause explains.
enum otter_wait_doubt {
    OTTER_DOUBT_NONE = 0,
    OTTER_DOUBT_PARTNER, // an operation of another rank has no record
    OTTER_DOUBT_FORWARD, // members of a rooted operation forward its data, in an unknown order
    OTTER_N_WAIT_DOUBTS
};

// Calls of one location are sorted by time.
struct otter_mpi_call {
    uint64_t begin, end; // ticks
    // ticks: the start of the polling that ends with this test; otherwise equal to `begin`
    uint64_t since;
    uint32_t node;   // of the fragments view; OTTER_NONE: none
    uint32_t before; // the call that the path back from `begin` reaches first, or OTTER_NONE; after
                     // otter_job_end the first that waited for another rank
    uint32_t cause_rank; // index: the latest rank that the call waited for; see job.h
    uint32_t cause_call; // ... and that rank's call, where the wait ended
    uint16_t location;
    uint8_t cause; // enum otter_wait_cause
    uint8_t doubt; // enum otter_wait_doubt
    bool is_probe;
};

// A send or a receive.
struct otter_mpi_message {
    uint64_t bytes;
    uint32_t begin; // index of the call that posts it
    uint32_t end;   // index of the call that completes it; OTTER_NONE: none
    uint32_t peer;  // rank in the world; after otter_job_end index of the rank, or OTTER_NONE
    uint32_t comm;  // index in the whole archive
    uint32_t tag;
    uint32_t match; // index of the peer's receive or send; OTTER_NONE: not known
};

struct otter_mpi_collective {
    uint32_t begin, end; // indexes of calls
    uint32_t comm;       // index in the whole archive, or OTTER_COMM_INIT or _FINALIZE
    uint32_t root;       // member, or OTTER_NO_ROOT
    uint32_t member;     // this rank in the communicator
    uint32_t size;       // members; 0: all ranks of the job
    uint8_t operation;   // enum otter_collective
};

// MPI_Init and MPI_Finalize wait for all ranks of the job.
enum { OTTER_COMM_INIT = 0xfffffffe, OTTER_COMM_FINALIZE = 0xfffffffd };

// Sends or receives, sorted by start.
struct otter_mpi_messages {
    OTTER_VECTOR(struct otter_mpi_message);
};

struct otter_rank_calls {
    struct {
        OTTER_VECTOR(struct otter_mpi_call);
    } calls;
    struct otter_mpi_messages sends, receives; // `receives` has only completed ones
    struct {
        OTTER_VECTOR(struct otter_mpi_collective);
    } collectives; // completed ones, sorted by start
    uint32_t last; // the call that the path back from the last end reaches first, or OTTER_NONE
    uint64_t begin, end; // ticks: of the rank's events
    // Ticks between tests, in loops that complete an operation or end with a receive, if no other
    // event is between the tests. They count as work, but the loop may have slept.
    uint64_t between_tests;
    bool is_gapped; // events may be missing in the middle: some were lost, or recording was paused
    struct otter_rank_reading *reading; // NULL after the end
};

// Starts to collect calls event by event, during the analysis of the same archive. `definitions`
// must outlive the reading. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_rank_calls_begin(struct otter_rank_calls *calls,
                                         const struct otter_definitions *definitions);
// The signature matches otter_event_function. Returns false if out of memory.
bool otter_rank_calls_add(void *calls, const struct otter_event *event);
// Called after the last event. Completes the calls, except for their nodes and the path back.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_rank_calls_complete(struct otter_rank_calls *calls);
// Returns whether there are MPI calls to read, according to the definitions.
bool otter_rank_has_calls(const struct otter_definitions *definitions);
// Reads the calls of the selected rank, each location up to its end or damage. Returns
// OTTER_NO_MEMORY or OTTER_OK. In both cases the caller calls otter_rank_calls_finish.
enum otter_status otter_rank_calls_read(struct otter_rank_calls *calls,
                                        struct otter_archive *archive);
// Sets the node of each call in any view of the rank's graph. Returns an array with the call of
// each node, OTTER_NONE for other nodes; the caller frees it. NULL: out of memory.
uint32_t *otter_rank_calls_find_nodes(struct otter_rank_calls *calls,
                                      const struct otter_graph *graph, size_t n_locations);
// Completes the calls with results of the analysis, which is not needed afterwards. Returns
// OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_rank_calls_end(struct otter_rank_calls *calls,
                                       const struct otter_analysis *analysis);
// A part of otter_rank_calls_end: sets node and `before` of each call, and `last`.
enum otter_status otter_rank_calls_link(struct otter_rank_calls *calls,
                                        const struct otter_analysis *analysis);
void otter_rank_calls_finish(struct otter_rank_calls *calls);
