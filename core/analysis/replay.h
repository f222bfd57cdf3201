// Predictions: a list scheduler executes the fragments view again.
//
// The replay has the measured costs of creation, scheduling and joins. It has no locks, no memory
// bandwidth and no constraint of tied tasks. The pieces of a worksharing loop stay as they are,
// whatever the number of threads.
#pragma once

#include "analysis/analysis.h"

enum otter_replay_policy {
    OTTER_REPLAY_FIFO = 0, // the piece that became ready first
    OTTER_REPLAY_LIFO,     // the piece that became ready last
    OTTER_REPLAY_CRITICAL, // the piece with the heaviest path behind it
    OTTER_N_REPLAY_POLICIES
};

struct otter_replay {
    const struct otter_analysis *analysis;
    uint64_t *durations; // of each node, ticks
    uint64_t *behind;    // of each node: the heaviest path from its start
};

// A schedule with fewer threads may be shorter. So the policies give an interval, not a number.
struct otter_replay_times {
    uint64_t least, most; // ticks
};

// `factors`: by label, account.n_labels of them, or NULL for 1.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_init(struct otter_replay *replay,
                                    const struct otter_analysis *analysis, const double *factors);
void otter_replay_finish(struct otter_replay *replay);

// Executes all policies on `n_threads` threads, at least 1. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_replay_run(const struct otter_replay *replay, uint32_t n_threads,
                                   struct otter_replay_times *times);
