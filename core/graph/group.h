// A graph made small: nodes of one kind and label are one group, edges of one kind between two groups are one edge.
//
// Time and memory are linear: groups are as many as there are labels, however many nodes. What is grouped may be cyclic (a
// recursive task leads to itself), so a group graph shows who leads to whom, and is not to be sorted.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

struct otter_group {
    uint32_t first_node; // an example: kind, label and kind of task are those of all its nodes
    uint32_t n_nodes;
    uint64_t total; // ticks, by otter_node_duration
    uint64_t longest;
};

struct otter_group_edge {
    uint32_t from, to; // indexes of groups
    uint32_t n_edges;
    enum otter_edge_kind kind;
};

struct otter_groups {
    struct otter_group *groups; // in the order of their first nodes
    uint32_t n_groups;
    struct otter_group_edge *edges; // in the order of their first edges
    uint32_t n_edges;
};

// NULL when memory is short.
struct otter_groups *otter_groups_create(const struct otter_graph *graph,
                                         const struct otter_labels *labels);
// Accepts NULL.
void otter_groups_destroy(struct otter_groups *groups);

// In ticks: of a scope's END that of the whole scope, of any other node its own.
uint64_t otter_node_duration(const struct otter_graph *graph, const struct otter_node *node);
