// The times of a rank between its MPI calls, in a replay of that rank.
#pragma once

#include "analysis/job/rank_calls.h"

// The calls of a rank on the path back from its end, copied before otter_job_end changes the links
// between them.
struct otter_rank_chain {
    uint32_t *before; // of each call, OTTER_NONE: none
    uint32_t last;    // the last call before the rank's end
    double *factors;  // factor for the time of each call in a changed run; NULL: 1
};

// `graph`: the graph of the rank. `factors`: by label; NULL: all are 1. Returns OTTER_NO_MEMORY or
// OTTER_OK. The caller calls otter_rank_chain_finish.
enum otter_status otter_rank_chain_init(struct otter_rank_chain *chain,
                                        const struct otter_rank_calls *calls,
                                        const struct otter_graph *graph, const double *factors);
void otter_rank_chain_finish(struct otter_rank_chain *chain);

// A rank's times between its MPI calls, in ticks. The tests of one polling count as a single
// call.
struct otter_rank_gaps {
    int64_t *items;  // of each call: from the end of the previous call to its start
    int64_t tail;    // after the last call
    bool is_changed; // factors apply to the calls
};

// Finds the gaps of a replay whose calls began at `starts` (otter_replay_watch), and which took
// `ticks`. `factors` scale the gap before each call; NULL: no scaling. Call this before
// otter_job_end. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_rank_gaps_init(struct otter_rank_gaps *gaps,
                                       const struct otter_rank_calls *calls, const uint64_t *starts,
                                       uint64_t ticks, const double *factors);
void otter_rank_gaps_finish(struct otter_rank_gaps *gaps);
