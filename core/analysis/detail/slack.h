// How much longer a label may take before the heaviest path, or the realised path, grows.
#pragma once

#include "analysis/analysis.h"
#include "analysis/detail/node_slack.h"

// The pieces and device operations in which a label executes. Times are ticks.
struct otter_slack_use {
    uint32_t label;    // index in account.executed
    uint64_t n;        // pieces
    uint64_t executed; // ticks in these pieces
    uint64_t least;    // ticks by which its most critical piece may grow without a longer span
    double mean;       // the same, averaged over the pieces
    // share by which all these pieces together may grow (0.5: 50 %); INFINITY: without limit; NAN:
    // not computed
    double growth;
    // ticks by which its most critical piece may grow before the recorded run takes longer
    uint64_t realised_least;
    double realised_mean;
};

struct otter_slack {
    struct otter_slack_use *items; // one per label that executes, in descending order of `executed`
    uint32_t n;
};

enum { OTTER_MAX_GROWTHS = 24 }; // labels for which the growth is computed

// Time: a few passes over all edges for each growth.
// `nodes`: the slack of nodes, if already computed; NULL: computed here. Returns OTTER_NO_MEMORY or
// OTTER_OK.
enum otter_status otter_slack_init(struct otter_slack *slack, const struct otter_analysis *analysis,
                                   const struct otter_node_slack *nodes);
void otter_slack_finish(struct otter_slack *slack);
