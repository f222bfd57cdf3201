// The ranks of a job as one run: matched messages, waits for other ranks, and the critical path
// across ranks.
#pragma once

#include "analysis/job/rank_calls.h"

struct otter_job_rank {
    uint32_t number; // its rank in MPI_COMM_WORLD
    uint32_t place;  // index of the rank in the archive
    struct otter_rank_calls calls;
    uint64_t waited[OTTER_N_CAUSES]; // ticks in which this rank waited
    uint64_t caused[OTTER_N_CAUSES]; // ticks in which others waited for this rank
    uint64_t n_waits[OTTER_N_CAUSES];
    // Ticks of the calls that may have waited longer than known, minus their known waits.
    uint64_t doubted[OTTER_N_WAIT_DOUBTS];
    // Ticks in which others waited because this rank delayed them, directly or not.
    uint64_t root_cause[OTTER_N_CAUSES];
    // index of the rank that is the root cause of this rank's delays, perhaps itself; OTTER_NONE:
    // no rank waited for this one
    uint32_t because_of;
    uint64_t on_path; // ticks of the critical path in this rank
};

// An operation of a rank.
struct otter_job_operation {
    uint32_t rank; // index
    uint32_t item; // index in its list
};

// A collective operation with all recorded members.
struct otter_job_collective {
    uint32_t first, n; // in `members`
};

// Operations without a partner, which no path follows.
struct otter_job_unmatched {
    uint64_t sends, receives, collectives; // collectives: operations of one rank
    uint64_t backwards; // matched, but complete before the partner began: the clocks differ
};

// A part of the critical path within one rank.
struct otter_job_stay {
    uint32_t rank;             // index
    struct otter_way_part way; // nodes of that rank, with the times of the path
};

struct otter_job {
    struct {
        OTTER_VECTOR(struct otter_job_rank);
    } ranks;                   // in the order in which they were added
    uint32_t n_ranks_of_world; // 0: unknown
    uint64_t begin, end;       // ticks: the first and the last event of all ranks
    struct {
        OTTER_VECTOR(struct otter_job_operation);
    } members; // of collective operations
    struct {
        OTTER_VECTOR(struct otter_job_collective);
    } collectives;
    uint64_t n_partial; // collective operations of which not all members are recorded
    struct otter_job_unmatched unmatched;
    uint64_t n_messages; // matched
    struct {
        OTTER_VECTOR(struct otter_job_stay);
    } stays; // from the last to the first, without gaps from `end` to `begin`
};

// Adds a rank. The job owns `calls` from now on. Ranks must be added in order of their numbers.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_job_add(struct otter_job *job, uint32_t number, uint32_t place,
                                struct otter_rank_calls *calls);

// Matches all operations. `n_ranks`: the size of the world; 0: unknown. Returns OTTER_NO_MEMORY or
// OTTER_OK.
//
// The n-th send from one rank to another with the same communicator and tag belongs to the n-th
// receive that was posted for them. The n-th collective operations of all members of a communicator
// belong together, even if some members are not recorded. If a rank may lack events and the numbers
// differ, none of its operations are matched.
enum otter_status otter_job_match(struct otter_job *job, uint32_t n_ranks);
// Matches all operations and finds waits, their root causes and the critical path.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_job_end(struct otter_job *job, uint32_t n_ranks);
void otter_job_finish(struct otter_job *job);

// Returns the index of the rank with this number in MPI_COMM_WORLD, or OTTER_NONE.
uint32_t otter_job_find_rank(const struct otter_job *job, uint32_t number);

// ---- the steps of otter_job_end, in this order

enum otter_status otter_job_match_messages(struct otter_job *job);
enum otter_status otter_job_match_collectives(struct otter_job *job);
void otter_job_find_waits(struct otter_job *job);
void otter_job_find_doubts(struct otter_job *job);
enum otter_status otter_job_find_causes(struct otter_job *job);
enum otter_status otter_job_find_path(struct otter_job *job);

// Returns whether any operation has its partner.
static inline bool otter_job_has_matches(const struct otter_job *job)
{
    return job->n_messages > 0 || job->collectives.n > 0;
}

static inline struct otter_rank_calls *otter_job_calls(const struct otter_job *job, uint32_t rank)
{
    return &job->ranks.items[rank].calls;
}
