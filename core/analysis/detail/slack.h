// How much longer a label may take for free, beside the heaviest path and the realised path.
#pragma once

#include "analysis/analysis.h"
#include "analysis/detail/node_slack.h"

// The pieces, and operations of devices, in which a label executes. Times are ticks.
struct otter_slack_use {
    uint32_t label;    // index in account.executed
    uint64_t n;        // pieces
    uint64_t executed; // in these
    uint64_t least;    // how much one of the pieces may grow without a longer span: for the worst
    double mean;       // likewise, for the mean of the pieces
    double growth;     // share by which all of them may grow at once; INFINITY, NAN: not computed
    uint64_t realised_least; // how much one may grow while the run as it was takes no longer
    double realised_mean;
};

struct otter_slack {
    struct otter_slack_use *items; // one for each label that executes, the most execution first
    uint32_t n;
};

enum { OTTER_MOST_GROWTHS = 24 }; // labels for which the growth is computed

// Time: a pass over all edges for each of some steps of each growth.
// `nodes`: those of the analysis; NULL: computed here. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_slack_init(struct otter_slack *slack, const struct otter_analysis *analysis,
                                   const struct otter_node_slack *nodes);
void otter_slack_finish(struct otter_slack *slack);
