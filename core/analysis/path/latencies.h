// How long the runtime takes to start pieces that could begin; used for predictions.
#pragma once

#include "analysis/path/costs.h"

enum otter_latency_kind {
    OTTER_LATENCY_NONE = 0,
    OTTER_LATENCY_BEGIN,    // of a deferred task
    OTTER_LATENCY_CONTINUE, // of an untied task that a thread resumes
    OTTER_LATENCY_JOIN,     // after an OpenMP wait
    OTTER_LATENCY_FORK,     // of a member
    OTTER_LATENCY_END,      // after a region
    OTTER_N_LATENCY_KINDS
};

// A piece could begin when everything that it waited for was over and its thread was free.
// Latencies of up to 20 us are replaced with their mean over all pieces of the same kind and
// region. A piece with a longer latency keeps its own.
struct otter_latencies {
    uint32_t *ticks;      // of each node
    unsigned char *kinds; // of each node: enum otter_latency_kind
    uint64_t most;        // the longest latency that a mean includes, in ticks; at most UINT32_MAX
    uint64_t taking;      // ticks of all nodes that begin or continue a task
};

// With a timeline, latencies do not contain the time in which their thread was preempted. A latency
// above 20 us is replaced with the mean, too, if any thread was preempted for half of it: that
// thread may have had to release this one. If no latency is short, the shortest counts as the mean.
// `timeline` may be NULL. Returns OTTER_NO_MEMORY or OTTER_OK. Time and memory: linear in nodes, n
// log n in switches.
enum otter_status otter_latencies_init(struct otter_latencies *latencies,
                                       const struct otter_graph *graph,
                                       const struct otter_pieces *pieces,
                                       const struct otter_ready *ready,
                                       const struct otter_timeline *timeline);
void otter_latencies_finish(struct otter_latencies *latencies);
