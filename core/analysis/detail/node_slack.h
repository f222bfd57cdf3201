// How much longer each node of the graph may take without lengthening the run.
#pragma once

#include "analysis/analysis.h"

struct otter_node_slack {
    uint64_t *work; // of each node: ticks
    uint64_t *span; // of each node: ticks by which it may grow without a longer span
    // of each node: ticks by which it may grow without lengthening the recorded run
    uint64_t *realised;
};

// Time: two passes over all edges, and a sort of all nodes. Memory: 24 bytes per node.
// Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_node_slack_init(struct otter_node_slack *slack,
                                        const struct otter_analysis *analysis);
void otter_node_slack_finish(struct otter_node_slack *slack);
