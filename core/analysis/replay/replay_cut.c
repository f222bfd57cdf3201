// Marks the tasks that their creators execute immediately because of a cut-off, and the nodes that
// then cost nothing.
#include <stdlib.h>

#include "analysis/detail/grain.h"
#include "analysis/path/scaled.h"
#include "analysis/replay/replay_plan.h"

// Recording and the runtime's switches added 41 to 60 ns to each piece of a task of fib, nqueens,
// health, floorplan and knapsack (BOTS), where an event cost 28 ns.
static const double EVENTS_OF_A_PIECE = 1.5;

static void mark(struct otter_replay *replay, const uint32_t *depths, uint32_t depth)
{
    for (uint32_t i = 0; i < replay->analysis->graph->n_tasks; i++) {
        unsigned char bits = depths[i] == OTTER_NONE || depths[i] < depth ? 0
                             : depths[i] == depth                         ? OTTER_CUT_LAST
                                                                          : OTTER_CUT_AT_ONCE;
        replay->cut[i] = bits > replay->cut[i] ? bits : replay->cut[i];
    }
}

// Ticks of a piece that do not belong to the program: the recording of an event, and the runtime.
static double overhead_of_a_piece(const struct otter_analysis *analysis)
{
    return analysis->recording.event > 0 ? EVENTS_OF_A_PIECE * analysis->recording.event
                                         : (double)analysis->costs.creation;
}

static uint64_t own_ticks(const struct otter_analysis *analysis, uint32_t node)
{
    const struct otter_node *at = &analysis->graph->nodes[node];
    uint64_t ticks = at->end - at->start, creating = analysis->costs.creating_in[node];
    return ticks > creating ? ticks - creating : 0;
}

// A single piece may be shorter than its overhead, since the processor already executes parts of
// the next piece. So the overhead is taken as a share of the sum of all pieces.
static double find_saving(const struct otter_replay *replay)
{
    const struct otter_analysis *analysis = replay->analysis;
    double own = 0, overhead = 0, piece = overhead_of_a_piece(analysis);
    for (uint32_t i = 0; i < analysis->graph->n_nodes; i++) {
        if (otter_node_is_piece(&analysis->graph->nodes[i]) &&
            otter_replay_cut_of(replay, i) == OTTER_CUT_AT_ONCE) {
            own += (double)own_ticks(analysis, i);
            overhead += piece;
        }
    }
    return overhead < own ? overhead / own : 1;
}

enum otter_status otter_replay_find_cut(struct otter_replay *replay)
{
    const struct otter_analysis *analysis = replay->analysis;
    const uint32_t *cut_offs = replay->changes ? replay->changes->cut_offs : NULL;
    uint32_t *depths = NULL;
    enum otter_status status = OTTER_OK;
    free(replay->cut);
    replay->cut = NULL;
    for (uint32_t i = 0; i < analysis->account.n_labels && cut_offs && !status; i++) {
        if (cut_offs[i] == OTTER_NONE) {
            continue;
        }
        size_t n = analysis->graph->n_tasks + (size_t)1;
        depths = depths ? depths : malloc(n * sizeof *depths);
        replay->cut = replay->cut ? replay->cut : calloc(n, 1);
        status = depths && replay->cut ? otter_grain_depths(analysis, i, depths) : OTTER_NO_MEMORY;
        if (!status) {
            mark(replay, depths, cut_offs[i]);
        }
    }
    replay->cut_saving = find_saving(replay);
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
    uint64_t creating = bits != 0 ? replay->analysis->costs.creating_in[node] : 0;
    double saving = bits == OTTER_CUT_AT_ONCE ? replay->cut_saving : 0;
    return creating + otter_scaled(own_ticks(replay->analysis, node), saving);
}
