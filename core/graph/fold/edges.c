// Collects edges in any order and sorts them into a graph's arrays.
#include "graph/fold/edges.h"

#include <stdlib.h>

#include "graph/numbers.h"

bool otter_edges_add(struct otter_edges *edges, uint32_t from, uint32_t to,
                     enum otter_edge_kind kind)
{
    return OTTER_VECTOR_ADD(edges, (struct otter_edge){from, to, kind});
}

void otter_edges_finish(struct otter_edges *edges)
{
    free(edges->items);
    *edges = (struct otter_edges){0};
}

// Encodes target and kind of an edge in one number, which sorts by target, then by kind.
static uint64_t key_of(const struct otter_edge *edge)
{
    return (uint64_t)edge->to << 8 | (uint8_t)edge->kind;
}

// Returns the keys of all edges, node by node: node i has the keys from firsts[i] to firsts[i + 1].
static uint64_t *group_by_origin(const struct otter_edges *edges, uint32_t n_nodes, size_t *firsts)
{
    uint64_t *keys = malloc(((size_t)edges->n + 1) * sizeof *keys);
    if (!keys) {
        return NULL;
    }
    for (size_t i = 0; i < edges->n; i++) {
        firsts[edges->items[i].from + 2]++;
    }
    for (uint32_t i = 0; i < n_nodes; i++) {
        firsts[i + 2] += firsts[i + 1];
    }
    for (size_t i = 0; i < edges->n; i++) {
        keys[firsts[edges->items[i].from + 1]++] = key_of(&edges->items[i]);
    }
    return keys;
}

static void fill(struct otter_graph *graph, uint64_t *keys, const size_t *firsts)
{
    uint32_t n = 0;
    for (uint32_t node = 0; node < graph->n_nodes; node++) {
        graph->first_edge[node] = n;
        otter_numbers_sort(keys + firsts[node], firsts[node + 1] - firsts[node]);
        for (size_t i = firsts[node]; i < firsts[node + 1]; i++) {
            if (i == firsts[node] || keys[i] >> 8 != keys[i - 1] >> 8) {
                graph->edge_to[n] = (uint32_t)(keys[i] >> 8);
                graph->edge_kind[n++] = (uint8_t)keys[i];
            }
        }
    }
    graph->first_edge[graph->n_nodes] = n;
    graph->n_edges = n;
}

bool otter_edges_replace(const struct otter_edges *edges, struct otter_graph *graph)
{
    size_t *firsts = calloc(graph->n_nodes + (size_t)2, sizeof *firsts);
    uint64_t *keys = firsts ? group_by_origin(edges, graph->n_nodes, firsts) : NULL;
    uint32_t *to = malloc(((size_t)edges->n + 1) * sizeof *to);
    uint8_t *kind = malloc(((size_t)edges->n + 1) * sizeof *kind);
    bool is_done = keys && to && kind;
    if (is_done) {
        free(graph->edge_to);
        free(graph->edge_kind);
        graph->edge_to = to;
        graph->edge_kind = kind;
        fill(graph, keys, firsts);
    } else {
        free(to);
        free(kind);
    }
    free(firsts);
    free(keys);
    return is_done;
}
