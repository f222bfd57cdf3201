// Replays a job: between MPI calls, each rank takes as long as in its own replay. The time for
// which calls wait for other ranks is computed again.
//
// A call waits for what it waited for in the run, for the sends of messages that it receives, and
// for the members of its collective operations. The rest of the call takes as long as in the run.
#pragma once

#include "analysis/job/job.h"
#include "analysis/job/rank_gaps.h"

struct otter_rank_times {
    uint64_t end;     // ticks from the job's start
    uint64_t outside; // outside of MPI, along the path back from the rank's end
    uint64_t waited;  // spent waiting for other ranks, along the same path
};

struct otter_job_replay {
    const struct otter_job *job;
    struct otter_job_operation *order; // the calls of all ranks, each after those that it needs
    uint64_t n_order;
    struct otter_rank_ops *ops; // of each rank
    uint32_t *collective_of;    // of each element of the job's `members`
    uint32_t *next_member;      // next member whose operation the same call completes
    int64_t *latest;            // of each collective operation: its last arrival
    bool *is_known;             // of each collective operation: whether `latest` is known
    // of each collective operation: its last arrival in the recorded run
    int64_t *recorded;
    const struct otter_rank_chain *chains; // of each rank
    const struct otter_rank_gaps *gaps;    // of each rank, in the replayed run
};

// `job` has ended (otter_job_end). `job` and `chains`, one per rank, must outlive the replay.
// Memory: 32 bytes per call. Returns OTTER_NO_MEMORY or OTTER_OK; after a failure there is nothing
// to finish.
enum otter_status otter_job_replay_init(struct otter_job_replay *replay,
                                        const struct otter_job *job,
                                        const struct otter_rank_chain *chains);
void otter_job_replay_finish(struct otter_job_replay *replay);

// Replays the job with the gaps of each rank; `times` gets the times of each rank. Returns the
// ticks from the first start to the last end.
uint64_t otter_job_replay_run(struct otter_job_replay *replay, const struct otter_rank_gaps *gaps,
                              struct otter_rank_times *times);
