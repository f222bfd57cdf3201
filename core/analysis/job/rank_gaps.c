// Finds the times between the MPI calls in the replay of a rank.
#include "analysis/job/rank_gaps.h"

#include <stdlib.h>

#include "analysis/path/scaled.h"
#include "graph/numbers.h"

// Most changes do not affect MPI calls.
static double factor_of(const struct otter_mpi_call *call, const struct otter_graph *graph,
                        const double *factors)
{
    bool is_known = factors && call->node != OTTER_NONE;
    uint32_t region = is_known ? graph->nodes[call->node].region : OTTER_NONE;
    return region < graph->definitions->n_regions ? factors[region] : 1;
}

static bool set_factors(struct otter_rank_chain *chain, const struct otter_rank_calls *calls,
                        const struct otter_graph *graph, const double *factors)
{
    chain->factors = factors ? malloc((calls->calls.n + (size_t)1) * sizeof *chain->factors) : NULL;
    for (uint32_t i = 0; i < calls->calls.n && chain->factors; i++) {
        chain->factors[i] = factor_of(&calls->calls.items[i], graph, factors);
    }
    return !factors || chain->factors;
}

enum otter_status otter_rank_chain_init(struct otter_rank_chain *chain,
                                        const struct otter_rank_calls *calls,
                                        const struct otter_graph *graph, const double *factors)
{
    chain->last = calls->last;
    chain->before = otter_numbers_create(calls->calls.n);
    for (uint32_t i = 0; i < calls->calls.n && chain->before; i++) {
        chain->before[i] = calls->calls.items[i].before;
    }
    bool is_good = set_factors(chain, calls, graph, factors);
    return chain->before && is_good ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_rank_chain_finish(struct otter_rank_chain *chain)
{
    free(chain->before);
    free(chain->factors);
}

// Returns the end of a call in the replay.
static uint64_t end_in(const struct otter_rank_calls *calls, const uint64_t *starts,
                       const double *factors, uint32_t index)
{
    const struct otter_mpi_call *call = &calls->calls.items[index];
    uint64_t ticks = call->end - call->begin;
    return starts[call->node] + (factors ? otter_scaled(ticks, factors[index]) : ticks);
}

// A call without a node is not replayed, so its distance to the previous call does not change. The
// replay contains the tests of a polling as they were.
static int64_t gap_of(const struct otter_rank_calls *calls, const uint64_t *starts,
                      const double *factors, uint32_t index)
{
    const struct otter_mpi_call *call = &calls->calls.items[index];
    const struct otter_mpi_call *before =
        call->before != OTTER_NONE ? &calls->calls.items[call->before] : NULL;
    if (call->node == OTTER_NONE || (before && before->node == OTTER_NONE)) {
        return (int64_t)(call->since - (before ? before->end : calls->begin));
    }
    return (int64_t)(starts[call->node] - (call->begin - call->since) -
                     (before ? end_in(calls, starts, factors, call->before) : 0));
}

enum otter_status otter_rank_gaps_init(struct otter_rank_gaps *gaps,
                                       const struct otter_rank_calls *calls, const uint64_t *starts,
                                       uint64_t ticks, const double *factors)
{
    gaps->is_changed = factors != NULL;
    gaps->items = malloc((calls->calls.n + (size_t)1) * sizeof *gaps->items);
    if (!gaps->items) {
        return OTTER_NO_MEMORY;
    }
    for (uint32_t i = 0; i < calls->calls.n; i++) {
        gaps->items[i] = gap_of(calls, starts, factors, i);
    }
    const struct otter_mpi_call *last =
        calls->last != OTTER_NONE ? &calls->calls.items[calls->last] : NULL;
    bool is_known = last && last->node != OTTER_NONE;
    gaps->tail = is_known ? (int64_t)(ticks - end_in(calls, starts, factors, calls->last))
                 : last   ? (int64_t)(calls->end - last->end)
                          : (int64_t)ticks;
    return OTTER_OK;
}

void otter_rank_gaps_finish(struct otter_rank_gaps *gaps)
{
    free(gaps->items);
    gaps->items = NULL;
}
