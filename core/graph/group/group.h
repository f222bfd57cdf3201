// Groups the nodes of a graph by kind and label; edges of one kind between two groups are one edge.
// Nodes are grouped within their place (place.h): each Kokkos kernel and region has its own groups.
//
// The number of groups depends on the number of labels, not of nodes. Time and memory are linear in
// the size of the graph. Groups may form cycles: a recursive task has an edge to itself, and the
// end of a time step has an edge to the start of the next.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

// A Kokkos kernel or copy is one group with its contents if the place is plain (struct
// otter_place). Then n_nodes counts the launches, and the times are times of launches.
struct otter_group {
    uint32_t first_node; // an example: all nodes have its kind, label and kind of task
    uint32_t place;      // index of the place that contains all nodes
    uint32_t n_nodes;
    uint64_t total; // ticks; sum of otter_node_duration, without scopes inside scopes of the group
    uint64_t longest; // ticks of the longest node
    bool is_whole;    // the group is a kernel or copy from its start, `first_node`, to its end
    uint32_t follows; // the group that precedes a Kokkos fence; otherwise OTTER_NONE
    uint32_t next;    // the next group in this place; OTTER_NONE after the last
};

struct otter_group_edge {
    uint32_t from, to; // indexes of groups
    uint32_t n_edges;
    enum otter_edge_kind kind;
    bool is_back; // closes a cycle; the other edges form no cycle
};

// A place (struct otter_place) with its groups. All members but n_groups may be OTTER_NONE.
struct otter_group_place {
    uint32_t parent;      // the enclosing place; place 0, outside of all labels, has none
    uint32_t begin;       // the group of the nodes that begin the place; place 0 has none
    uint32_t first_group; // first group in this place itself, not in a place inside it
    uint32_t n_groups;
    uint32_t first_child; // the first place inside this one
    uint32_t next;        // the next place with the same parent
};

struct otter_groups {
    struct otter_group *groups; // sorted by their first nodes
    uint32_t n_groups;
    struct otter_group_place *places; // each after its parent
    uint32_t n_places;
    struct otter_group_edge *edges; // sorted by their first edges
    uint32_t n_edges;
};

// Returns the groups of a graph; NULL if out of memory.
struct otter_groups *otter_groups_create(const struct otter_graph *graph,
                                         const struct otter_labels *labels);

// Returns the groups of a graph for a picture; NULL if out of memory. If there are more than
// `most`, first merges labels that differ only in numbers (label.h). Sets *has_merged to whether
// that changed `labels`.
struct otter_groups *otter_groups_create_few(const struct otter_graph *graph,
                                             struct otter_labels *labels, uint32_t most,
                                             bool *has_merged);

// Frees groups; accepts NULL.
void otter_groups_destroy(struct otter_groups *groups);

// Returns the duration of a node in ticks; an END has the duration of its whole scope.
uint64_t otter_node_duration(const struct otter_graph *graph, const struct otter_node *node);
