// Weisfeiler-Lehman refinement on a directed acyclic graph: in the order of the edges each node learns what leads to it, in the
// opposite order what it leads to; both together are a round.
#include "graph/hash.h"

#include <stdio.h>
#include <stdlib.h>

#include "graph/node.h"

// One round tells trees apart; nodes with the same past and the same future, but with neighbours of which that is not true, need
// another.
enum { N_ROUNDS = 2 };

// The finaliser of MurmurHash3 (Austin Appleby), once with its own and once with SplitMix64's constants (variant 13 of David
// Stafford).
static uint64_t murmur(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdU;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53U;
    return x ^ x >> 33;
}

static uint64_t splitmix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

// `value` put after `hash`: the order counts. The halves stay independent, so that two must collide at once.
static struct otter_hash mix(struct otter_hash hash, struct otter_hash value)
{
    return (struct otter_hash){murmur(hash.high * 3 + value.high + 0x2545f4914f6cdd1dU),
                               splitmix(hash.low * 5 + value.low)};
}

static struct otter_hash mix_number(struct otter_hash hash, uint64_t value)
{
    return mix(hash, (struct otter_hash){splitmix(value), murmur(value + 1)});
}

// The length comes after the bytes, so that of two texts none can borrow from the other.
static struct otter_hash mix_text(struct otter_hash hash, const char *text)
{
    uint64_t n = 0;
    for (; text[n]; n++) {
        hash = mix_number(hash, (unsigned char)text[n]);
    }
    return mix_number(hash, n);
}

struct otter_hash otter_hash_add(struct otter_hash hash, struct otter_hash value)
{
    return (struct otter_hash){hash.high + murmur(value.high + 1), hash.low + splitmix(value.low)};
}

bool otter_hash_is_equal(struct otter_hash a, struct otter_hash b)
{
    return a.high == b.high && a.low == b.low;
}

char *otter_hash_text(struct otter_hash hash, char *text)
{
    snprintf(text, OTTER_HASH_TEXT, "%016llx%016llx", (unsigned long long)hash.high,
             (unsigned long long)hash.low);
    return text;
}

// Members of a team come to a barrier from different code, and where the runtime leaves the barrier out there is none: that it is
// one, and whether it is in the program's text, is all that every run agrees on.
static struct otter_hash of_barrier(const struct otter_graph *graph, uint32_t node)
{
    bool is_explicit = otter_node_construct(graph, node) == OTTER_CONSTRUCT_BARRIER_EXPLICIT;
    return mix_text((struct otter_hash){0, 0}, is_explicit ? "explicit barrier" : "barrier");
}

// Flags are left out: whether a task was cancelled, did not end or fulfilled its event in time depends on the schedule.
static struct otter_hash of_node(const struct otter_graph *graph, uint32_t i,
                                 const struct otter_hash *regions, size_t n_regions)
{
    const struct otter_node *node = &graph->nodes[i];
    bool is_of_task = node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
    struct otter_hash hash = {0, 0};
    hash = mix_number(hash, node->kind);
    hash = mix_number(hash, is_of_task && node->task != OTTER_NONE ? graph->tasks[node->task].kind
                                                                   : OTTER_TASK_KIND_UNKNOWN);
    if (otter_node_is_barrier(graph, i)) {
        return mix(hash, of_barrier(graph, i));
    }
    return node->region < n_regions ? mix(hash, regions[node->region]) : hash;
}

static struct otter_hash *of_nodes(const struct otter_graph *graph,
                                   const struct otter_labels *labels)
{
    struct otter_hash *nodes = calloc(graph->n_nodes + (size_t)1, sizeof *nodes);
    struct otter_hash *regions = calloc(labels->n_regions + 1, sizeof *regions);
    if (nodes && regions) {
        for (size_t i = 0; i < labels->n_regions; i++) {
            regions[i] = mix_text(mix_text((struct otter_hash){0, 0}, labels->regions[i].what),
                                  labels->regions[i].where);
        }
        for (uint32_t i = 0; i < graph->n_nodes; i++) {
            nodes[i] = of_node(graph, i, regions, labels->n_regions);
        }
    } else {
        free(nodes);
        nodes = NULL;
    }
    free(regions);
    return nodes;
}

static bool is_inside(const uint32_t *units, uint32_t from, uint32_t to)
{
    return !units || units[from] == units[to];
}

// `sums` is all zero before, and after but for nodes on a cycle.
static void look_back(const struct otter_graph *graph, const uint32_t *units, const uint32_t *order,
                      uint32_t n, struct otter_hash *hashes, struct otter_hash *sums)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = order[i];
        hashes[node] = mix(hashes[node], sums[node]);
        sums[node] = (struct otter_hash){0, 0};
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (is_inside(units, node, to)) {
                sums[to] = otter_hash_add(sums[to], mix_number(hashes[node], graph->edge_kind[e]));
            }
        }
    }
}

static void look_ahead(const struct otter_graph *graph, const uint32_t *units,
                       const uint32_t *order, uint32_t n, struct otter_hash *hashes)
{
    for (uint32_t i = n; i-- > 0;) {
        uint32_t node = order[i];
        struct otter_hash sum = {0, 0};
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (is_inside(units, node, to)) {
                sum = otter_hash_add(sum, mix_number(hashes[to], graph->edge_kind[e]));
            }
        }
        hashes[node] = mix(hashes[node], sum);
    }
}

struct otter_hash *otter_graph_node_hashes(const struct otter_graph *graph,
                                           const struct otter_labels *labels, const uint32_t *units)
{
    uint32_t n;
    uint32_t *order = otter_graph_sort(graph, &n);
    struct otter_hash *hashes = of_nodes(graph, labels);
    struct otter_hash *sums = calloc(graph->n_nodes + (size_t)1, sizeof *sums);
    if (order && hashes && sums) {
        for (int i = 0; i < N_ROUNDS; i++) {
            look_back(graph, units, order, n, hashes, sums);
            look_ahead(graph, units, order, n, hashes);
        }
    } else {
        free(hashes);
        hashes = NULL;
    }
    free(order);
    free(sums);
    return hashes;
}

bool otter_graph_hash(const struct otter_graph *graph, const struct otter_labels *labels,
                      struct otter_hash *hash)
{
    struct otter_hash *nodes = otter_graph_node_hashes(graph, labels, NULL);
    if (!nodes) {
        return false;
    }
    struct otter_hash sum = {0, 0};
    for (uint32_t i = 0; i < graph->n_nodes; i++) {
        sum = otter_hash_add(sum, nodes[i]);
    }
    free(nodes);
    *hash =
        mix_number(mix_number(mix(sum, (struct otter_hash){0, 0}), graph->n_nodes), graph->n_edges);
    return true;
}
