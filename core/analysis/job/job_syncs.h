// The last time before a wait at which two ranks were synchronised, by a message between them or a
// collective operation of both.
#pragma once

#include "analysis/job/job.h"

// Times of the two ranks, in ticks. Both are the start of the job if the ranks had no common
// operation.
struct otter_job_sync {
    uint64_t waiting, other;
};

struct otter_job_syncs {
    const struct otter_job *job;
    struct otter_rank_syncs *ranks;            // of each rank
    struct otter_collective_sync *collectives; // of each collective operation
};

// `job` is matched and must outlive the syncs. Memory: 16 bytes per receive, and 32 bytes per
// collective operation. Returns OTTER_NO_MEMORY or OTTER_OK; the caller finishes in both cases.
enum otter_status otter_job_syncs_init(struct otter_job_syncs *syncs, const struct otter_job *job);
void otter_job_syncs_finish(struct otter_job_syncs *syncs);

// Finds when two ranks were last synchronised before `waiting`, the call with which `rank` waited
// for the other rank. Considers only the last 32 collective operations of `rank`. Time: n log n for
// n waits.
struct otter_job_sync otter_job_syncs_find(const struct otter_job_syncs *syncs, uint32_t rank,
                                           const struct otter_mpi_call *waiting);
