// Finds the times between the calls of MPI in the replay of a rank.
#include "analysis/rank_gaps.h"

#include <stdlib.h>

#include "graph/numbers.h"

enum otter_status otter_rank_chain_init(struct otter_rank_chain *chain,
                                        const struct otter_rank_calls *calls)
{
    chain->last = calls->last;
    chain->before = otter_numbers_create(calls->calls.n);
    for (uint32_t i = 0; i < calls->calls.n && chain->before; i++) {
        chain->before[i] = calls->calls.items[i].before;
    }
    return chain->before ? OTTER_OK : OTTER_NO_MEMORY;
}

// The end of a call in the replay.
static uint64_t end_in(const uint64_t *starts, const struct otter_mpi_call *call)
{
    return starts[call->node] + call->end - call->begin;
}

// A call without a node is in no replay, and keeps its distance to the call before. The tests that
// poll are in the replay as they were.
static int64_t gap_of(const struct otter_rank_calls *calls, const uint64_t *starts, uint32_t index)
{
    const struct otter_mpi_call *call = &calls->calls.items[index];
    const struct otter_mpi_call *before =
        call->before != OTTER_NONE ? &calls->calls.items[call->before] : NULL;
    if (call->node == OTTER_NONE || (before && before->node == OTTER_NONE)) {
        return (int64_t)(call->since - (before ? before->end : calls->begin));
    }
    return (int64_t)(starts[call->node] - (call->begin - call->since) -
                     (before ? end_in(starts, before) : 0));
}

enum otter_status otter_rank_gaps_init(struct otter_rank_gaps *gaps,
                                       const struct otter_rank_calls *calls, const uint64_t *starts,
                                       uint64_t ticks)
{
    gaps->items = malloc((calls->calls.n + (size_t)1) * sizeof *gaps->items);
    if (!gaps->items) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < calls->calls.n; i++) {
        gaps->items[i] = gap_of(calls, starts, i);
    }
    const struct otter_mpi_call *last =
        calls->last != OTTER_NONE ? &calls->calls.items[calls->last] : NULL;
    bool is_known = last && last->node != OTTER_NONE;
    gaps->tail = is_known ? (int64_t)(ticks - end_in(starts, last))
                 : last   ? (int64_t)(calls->end - last->end)
                          : (int64_t)ticks;
    return OTTER_OK;
}

void otter_rank_gaps_finish(struct otter_rank_gaps *gaps)
{
    free(gaps->items);
    gaps->items = NULL;
}
