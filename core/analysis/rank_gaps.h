// The times of a rank between its calls of MPI, in a replay of that rank.
#pragma once

#include "analysis/rank_calls.h"

// The calls of a rank on the way back, as they are before otter_job_end.
struct otter_rank_chain {
    uint32_t *before; // of each call, OTTER_NONE: none
    uint32_t last;    // before the rank's end
};

// Returns OTTER_NO_MEMORY or OTTER_OK. The caller frees `before`.
enum otter_status otter_rank_chain_init(struct otter_rank_chain *chain,
                                        const struct otter_rank_calls *calls);

// A rank's times between its calls of MPI, in ticks. Tests that poll are one call with the last.
struct otter_rank_gaps {
    int64_t *items; // of each call: from the end of the call before it to its begin
    int64_t tail;   // behind the last call
};

// Finds the gaps of a replay whose calls began at `starts` (otter_replay_watch), and which took
// `ticks`. To be called before otter_job_end. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_rank_gaps_init(struct otter_rank_gaps *gaps,
                                       const struct otter_rank_calls *calls, const uint64_t *starts,
                                       uint64_t ticks);
void otter_rank_gaps_finish(struct otter_rank_gaps *gaps);
