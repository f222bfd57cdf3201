// Computes codes from names: Weisfeiler and Lehman's refinement on a directed acyclic graph. One
// pass in topological order adds the names on all paths to a node. A pass in reverse order adds the
// names on all paths from the node. Each subtree then sums up the codes of its nodes.
#include <string.h>

#include "graph/hash/naming.h"

void otter_naming_rename(struct otter_naming *naming)
{
    uint32_t n_nodes = naming->graph->n_nodes;
    for (uint32_t i = 0; i < n_nodes; i++) {
        uint32_t node = naming->order[i], parent = naming->parents[node];
        struct otter_hash path =
            parent < n_nodes ? naming->names[parent] : (struct otter_hash){0, 0};
        naming->names[node] =
            otter_hash_mix_number(otter_hash_mix(path, naming->names[node]), naming->ranks[node]);
    }
}

static void sum_paths_to(struct otter_naming *naming)
{
    const struct otter_graph *graph = naming->graph;
    struct otter_hash *codes = naming->codes, *sums = naming->sums;
    memset(sums, 0, graph->n_nodes * sizeof *sums);
    for (uint32_t i = 0; i < naming->n_sound; i++) {
        uint32_t node = naming->order[i];
        codes[node] = otter_hash_mix(naming->names[node], sums[node]);
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (otter_naming_is_inside(naming, node, to)) {
                sums[to] = otter_hash_add(sums[to],
                                          otter_hash_mix_number(codes[node], graph->edge_kind[e]));
            }
        }
    }
    for (uint32_t i = naming->n_sound; i < graph->n_nodes; i++) {
        codes[naming->order[i]] = naming->names[naming->order[i]];
    }
}

static void sum_paths_from(struct otter_naming *naming)
{
    const struct otter_graph *graph = naming->graph;
    struct otter_hash *codes = naming->codes;
    for (uint32_t i = naming->n_sound; i-- > 0;) {
        uint32_t node = naming->order[i];
        struct otter_hash sum = {0, 0};
        for (uint32_t e = graph->first_edge[node]; e < graph->first_edge[node + 1]; e++) {
            uint32_t to = graph->edge_to[e];
            if (otter_naming_is_inside(naming, node, to)) {
                sum = otter_hash_add(sum, otter_hash_mix_number(codes[to], graph->edge_kind[e]));
            }
        }
        codes[node] = otter_hash_mix(codes[node], sum);
    }
}

static void sum_subtrees(struct otter_naming *naming)
{
    uint32_t n_nodes = naming->graph->n_nodes;
    struct otter_hash *codes = naming->codes, *sums = naming->sums;
    memset(sums, 0, n_nodes * sizeof *sums);
    for (uint32_t i = n_nodes; i-- > 0;) {
        uint32_t node = naming->order[i], parent = naming->parents[node];
        codes[node] = otter_hash_mix(codes[node], sums[node]);
        if (parent < n_nodes) {
            sums[parent] = otter_hash_add(sums[parent], codes[node]);
        }
    }
}

void otter_naming_refine(struct otter_naming *naming)
{
    sum_paths_to(naming);
    sum_paths_from(naming);
    sum_subtrees(naming);
}
