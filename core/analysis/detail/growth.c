// Finds the factor by which a label's work must grow to lengthen the heaviest path.
#include "analysis/detail/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct otter_path_length {
    uint64_t others, own;
};

struct sum {
    const struct otter_growth *growth;
    uint32_t node;
};

static void add_own(void *user, uint32_t label, enum otter_state state, uint64_t ticks)
{
    const struct sum *sum = user;
    if (state == OTTER_STATE_EXECUTING &&
        otter_account_label(&sum->growth->analysis->account, label) == sum->growth->label) {
        sum->growth->own[sum->node] += ticks;
    }
}

static void add_node(void *user, uint32_t index)
{
    const struct otter_growth *growth = user;
    const struct otter_node *node = &growth->analysis->graph->nodes[index];
    otter_piece_labels(growth->analysis, index, node->start, node->end, add_own,
                       &(struct sum){growth, index});
    if (growth->own[index] > growth->work[index]) {
        growth->own[index] = growth->work[index];
    }
}

static void find_own(struct otter_growth *growth)
{
    const struct otter_graph *graph = growth->analysis->graph;
    memset(growth->own, 0, graph->n_nodes * sizeof *growth->own);
    otter_pieces_each(&growth->analysis->pieces, graph, add_node, growth);
}

static double length_of(struct otter_path_length length, double factor)
{
    return (double)length.others + factor * (double)length.own;
}

static struct otter_path_length exclusive_length(const struct otter_growth *growth, uint32_t index)
{
    const struct otter_exclusions *exclusions = &growth->analysis->exclusions;
    uint64_t own = otter_exclusion_sum(exclusions, index, growth->own);
    return (struct otter_path_length){otter_exclusion_sum(exclusions, index, growth->work) - own,
                                      own};
}

// Returns the heaviest path if the label takes `factor` times as long.
static struct otter_path_length find_longest(const struct otter_growth *growth, double factor)
{
    const struct otter_graph *graph = growth->analysis->graph;
    const struct otter_ready *ready = &growth->analysis->ready;
    struct otter_path_length longest = {0, 0};
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        growth->lengths[i] = (struct otter_path_length){0, 0};
    }
    for (uint32_t i = 0; i < ready->n_order; i++) {
        uint32_t node = ready->order[i];
        struct otter_path_length length = growth->lengths[node];
        length.own += growth->own[node];
        length.others += growth->work[node] - growth->own[node];
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            struct otter_path_length *to = &growth->lengths[graph->edge_to[e]];
            *to = length_of(length, factor) > length_of(*to, factor) ? length : *to;
        }
        longest = length_of(length, factor) > length_of(longest, factor) ? length : longest;
    }
    for (uint32_t i = 0; i < growth->analysis->exclusions.n; i++) {
        struct otter_path_length length = exclusive_length(growth, i);
        longest = length_of(length, factor) > length_of(longest, factor) ? length : longest;
    }
    return longest;
}

// Newton's method: each path is a linear function of the factor, so the heaviest path is a convex
// function.
double otter_growth_of(struct otter_growth *growth, uint32_t label)
{
    enum { MAX_STEPS = 20 };
    double span = (double)growth->analysis->span.span, factor = 1e6;
    growth->label = label;
    find_own(growth);
    for (unsigned i = 0; i < MAX_STEPS; i++) {
        struct otter_path_length longest = find_longest(growth, factor);
        if (longest.own == 0) {
            return i == 0 ? INFINITY : factor - 1;
        }
        double next = (span - (double)longest.others) / (double)longest.own;
        if (next >= factor * (1 - 1e-9)) {
            break;
        }
        factor = next > 1 ? next : 1;
    }
    return factor - 1;
}

enum otter_status otter_growth_init(struct otter_growth *growth,
                                    const struct otter_analysis *analysis, const uint64_t *work)
{
    size_t n = analysis->graph->n_nodes + 1;
    *growth = (struct otter_growth){.analysis = analysis, .work = work};
    growth->own = malloc(n * sizeof *growth->own);
    growth->lengths = malloc(n * sizeof *growth->lengths);
    return growth->own && growth->lengths ? OTTER_OK : OTTER_NO_MEMORY;
}

void otter_growth_finish(struct otter_growth *growth)
{
    free(growth->own);
    free(growth->lengths);
    *growth = (struct otter_growth){0};
}
