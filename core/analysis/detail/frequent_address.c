// Finds the address that orders the tasks of the longest chain.
#include "analysis/detail/frequent_address.h"

#include <stdlib.h>
#include <string.h>

#include "graph/numbers.h"

static const double MAX_SPAN =
    0.75; // share of the span that remains without the address's dependences

// Returns the kind of the edge between two nodes.
static enum otter_edge_kind edge_between(const struct otter_graph *graph, uint32_t from,
                                         uint32_t to)
{
    for (uint32_t e = graph->first_edge[from]; e < graph->first_edge[from + 1]; e++) {
        if (graph->edge_to[e] == to) {
            return (enum otter_edge_kind)graph->edge_kind[e];
        }
    }
    return OTTER_EDGE_UNKNOWN;
}

static uint32_t common(const struct otter_analysis *analysis, uint32_t from, uint32_t to,
                       uint64_t preferred, uint64_t *one)
{
    const struct otter_graph *graph = analysis->graph;
    return otter_addresses_common(&analysis->addresses, &graph->tasks[graph->nodes[from].task],
                                  &graph->tasks[graph->nodes[to].task], preferred, one);
}

// Gathers the addresses of the dependences on the span path in sorted order. Returns their number.
static uint32_t gather(const struct otter_analysis *analysis, uint64_t *addresses)
{
    const struct otter_span *span = &analysis->span;
    uint32_t n = 0;
    for (uint32_t i = 1; i < span->n_path; i++) {
        uint32_t from = span->path[i - 1], to = span->path[i];
        if (edge_between(analysis->graph, from, to) == OTTER_EDGE_DEPENDENCE) {
            n += common(analysis, from, to, 0, &addresses[n]) > 0;
        }
    }
    otter_numbers_sort(addresses, n);
    return n;
}

static uint64_t most_frequent(const uint64_t *addresses, uint32_t n, uint32_t *count)
{
    uint64_t most = 0;
    *count = 0;
    for (uint32_t i = 0, begin = 0; i < n; i++) {
        begin = addresses[i] == addresses[begin] ? begin : i;
        if (i - begin + 1 > *count) {
            *count = i - begin + 1;
            most = addresses[i];
        }
    }
    return most;
}

// Returns whether the address is the only reason for the edge.
static bool is_reason(const struct otter_analysis *analysis, uint32_t from, uint32_t edge,
                      uint64_t address)
{
    uint64_t one;
    return analysis->graph->edge_kind[edge] == OTTER_EDGE_DEPENDENCE &&
           common(analysis, from, analysis->graph->edge_to[edge], address, &one) == 1 &&
           one == address;
}

// Returns the span without the dependences of the address. `lengths`: a place for each node.
static uint64_t span_without(const struct otter_analysis *analysis, uint64_t address,
                             uint64_t *lengths)
{
    const struct otter_graph *graph = analysis->graph;
    uint64_t longest = 0;
    memset(lengths, 0, graph->n_nodes * sizeof *lengths);
    for (uint32_t i = 0; i < analysis->ready.n_order; i++) {
        uint32_t node = analysis->ready.order[i];
        lengths[node] += otter_node_work(graph, &analysis->pieces, &analysis->costs, node);
        longest = lengths[node] > longest ? lengths[node] : longest;
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (lengths[node] > lengths[to] && !is_reason(analysis, node, e, address)) {
                lengths[to] = lengths[node];
            }
        }
    }
    return longest;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void find_address(const struct otter_analysis *analysis, uint64_t *values,
                         struct otter_frequent_address *found)
{
    const struct otter_span *span = &analysis->span;
    uint32_t count, n = gather(analysis, values);
    uint64_t address = most_frequent(values, n, &count);
    if (count < 2 || count * 2 < n) {
        return;
    }
    uint64_t rest = span_without(analysis, address, values);
    if ((double)rest <= MAX_SPAN * (double)span->span) {
        *found = (struct otter_frequent_address){address, count,
                                                 (double)span->work / (double)larger(rest, 1)};
    }
}

enum otter_status otter_frequent_address_find(const struct otter_analysis *analysis,
                                              struct otter_frequent_address *found)
{
    *found = (struct otter_frequent_address){0};
    if (analysis->addresses.tasks.n == 0) {
        return OTTER_OK;
    }
    uint64_t *values = malloc((analysis->graph->n_nodes + (size_t)1) * sizeof *values);
    if (!values) {
        return OTTER_NO_MEMORY;
    }
    find_address(analysis, values, found);
    free(values);
    return OTTER_OK;
}
