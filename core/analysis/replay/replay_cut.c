// Marks the tasks that a cut-off executes at once, and the nodes that then cost nothing.
#include <stdlib.h>

#include "analysis/detail/grain.h"
#include "analysis/replay/replay_plan.h"

static void mark(struct otter_replay *replay, const uint32_t *depths, uint32_t depth)
{
    for (uint32_t i = 0; i < replay->analysis->graph->n_tasks; i++) {
        unsigned char bits = depths[i] == OTTER_NONE || depths[i] < depth ? 0
                             : depths[i] == depth                         ? OTTER_CUT_LAST
                                                                          : OTTER_CUT_AT_ONCE;
        replay->cut[i] = bits > replay->cut[i] ? bits : replay->cut[i];
    }
}

enum otter_status otter_replay_find_cut(struct otter_replay *replay)
{
    const struct otter_analysis *analysis = replay->analysis;
    const uint32_t *cut_offs = replay->changes ? replay->changes->cut_offs : NULL;
    uint32_t *depths = NULL;
    enum otter_status status = OTTER_OK;
    free(replay->cut);
    replay->cut = NULL;
    replay->cut_overhead = 0;
    for (uint32_t i = 0; i < analysis->account.n_labels && cut_offs && !status; i++) {
        if (cut_offs[i] == OTTER_NONE) {
            continue;
        }
        uint64_t overhead = 0;
        size_t n = analysis->graph->n_tasks + (size_t)1;
        depths = depths ? depths : malloc(n * sizeof *depths);
        replay->cut = replay->cut ? replay->cut : calloc(n, 1);
        status = depths && replay->cut ? otter_grain_depths(analysis, i, depths, &overhead)
                                       : OTTER_NO_MEMORY;
        if (!status) {
            mark(replay, depths, cut_offs[i]);
            replay->cut_overhead = overhead; // of the last: other recursions have similar costs
        }
    }
    free(depths);
    return status;
}

bool otter_replay_cuts_latency(const struct otter_replay *replay, uint32_t node)
{
    unsigned char bits = otter_replay_cut_of(replay, node);
    enum otter_latency_kind kind = replay->latencies.kinds[node];
    return kind == OTTER_LATENCY_JOIN ? bits != 0 : bits == OTTER_CUT_AT_ONCE;
}

uint64_t otter_replay_cut_ticks(const struct otter_replay *replay, uint32_t node)
{
    unsigned char bits = otter_replay_cut_of(replay, node);
    return (bits != 0 ? replay->analysis->costs.creating_in[node] : 0) +
           (bits == OTTER_CUT_AT_ONCE ? replay->cut_overhead : 0);
}
