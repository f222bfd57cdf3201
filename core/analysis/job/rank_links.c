// Finds the MPI calls in the graph of their rank, and the path back from each to the previous
// call.
#include <stdlib.h>

#include "base/order.h"
#include "analysis/job/rank_calls.h"
#include "base/free.h"
#include "graph/numbers.h"

// ---- nodes

// The calls of each location are sorted by start.
static uint32_t find_call(const struct otter_rank_calls *calls, uint32_t first, uint32_t end,
                          uint64_t begin)
{
    OTTER_SEARCH(first, end, middle, calls->calls.items[middle].begin < begin)
    return first;
}

uint32_t *otter_rank_calls_find_nodes(struct otter_rank_calls *calls,
                                      const struct otter_graph *graph, size_t n_locations)
{
    uint32_t *of_nodes = otter_numbers_create(graph->n_nodes);
    uint32_t *first = calloc(2 * (n_locations + 1), sizeof *first), *end = first + n_locations + 1;
    for (uint32_t i = 0; first && i < calls->calls.n; i++) {
        uint32_t location = calls->calls.items[i].location;
        first[location] = end[location] == 0 ? i : first[location];
        end[location] = i + 1;
    }
    for (uint32_t i = 0; of_nodes && first && i < graph->n_nodes; i++) {
        const struct otter_node *node = &graph->nodes[i];
        if (!otter_node_is_mpi(graph, i)) {
            continue;
        }
        uint32_t call = find_call(calls, first[node->location], end[node->location], node->start);
        if (call < end[node->location] && calls->calls.items[call].begin == node->start) {
            calls->calls.items[call].node = i;
            of_nodes[i] = call;
        }
    }
    if (!first) {
        free(of_nodes);
        return NULL;
    }
    free(first);
    return of_nodes;
}

// ---- the path back

// The last call before each node, on the way back along the path. Valid if `is_known` is set.
struct ways {
    const struct otter_way_back *way;
    const uint32_t *call_of; // of each node: its call
    uint32_t *before;
    bool *is_known;
};

// Each node is visited once, since all paths that reach it continue in the same way. In a damaged
// archive, a cycle ends at the node where the path began.
static uint32_t call_before(const struct ways *ways, uint32_t node)
{
    uint32_t found = OTTER_NONE, at = node;
    bool was_busy;
    while (at != OTTER_NONE && !ways->is_known[at]) {
        ways->is_known[at] = true;
        at = otter_way_back_from(ways->way, at, &was_busy);
        found = at != OTTER_NONE ? ways->call_of[at] : OTTER_NONE;
        if (found != OTTER_NONE) {
            break;
        }
    }
    if (at != OTTER_NONE && found == OTTER_NONE) {
        found = ways->before[at];
    }
    for (uint32_t i = node; i != at; i = otter_way_back_from(ways->way, i, &was_busy)) {
        ways->before[i] = found;
    }
    return found;
}

static void find_before(struct otter_rank_calls *calls, const struct ways *ways)
{
    for (uint32_t i = 0; i < calls->calls.n; i++) {
        struct otter_mpi_call *call = &calls->calls.items[i];
        call->before = call->node != OTTER_NONE ? call_before(ways, call->node) : OTTER_NONE;
    }
    uint32_t last = ways->way->last;
    if (last != OTTER_NONE) {
        calls->last = call_before(ways, last);
    }
}

enum otter_status otter_rank_calls_link(struct otter_rank_calls *calls,
                                        const struct otter_analysis *analysis)
{
    const struct otter_graph *graph = analysis->graph;
    struct otter_way_back way;
    uint32_t *call_of =
        otter_rank_calls_find_nodes(calls, graph, analysis->definitions->n_locations);
    uint32_t *before = otter_numbers_create(graph->n_nodes);
    bool *is_known = calloc(graph->n_nodes + 1, sizeof *is_known);
    bool is_good = !otter_way_back_init(&way, graph, &analysis->pieces, &analysis->ready) &&
                   call_of && before && is_known;
    if (is_good) {
        find_before(calls, &(struct ways){&way, call_of, before, is_known});
    }
    otter_way_back_finish(&way);
    OTTER_FREE(call_of, before, is_known);
    return is_good ? OTTER_OK : OTTER_NO_MEMORY;
}
