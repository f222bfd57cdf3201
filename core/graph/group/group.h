// A graph made small: nodes of one kind and label are one group, edges of one kind between two groups are one edge. What lies in
// Kokkos kernels and regions is grouped in each (place.h): those of different labels share nothing.
//
// Time and memory are linear: groups are as many as there are labels, however many nodes. What is grouped may be cyclic (a
// recursive task leads to itself, the end of a time step to the next one's begin), so a group graph shows who leads to whom, and is
// not to be sorted.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

// What a Kokkos kernel or copy launches is one group with it, where that is only what the runtime does (place.h): the nodes are then
// counted, and their times added, of the kernel alone.
struct otter_group {
    uint32_t first_node; // an example: kind, label and kind of task are those of all its nodes
    uint32_t place;      // index of the place in which all of them lie
    uint32_t n_nodes;
    uint64_t
        total; // ticks, by otter_node_duration; without scopes in others of the group, whose time has theirs
    uint64_t longest;
    bool is_whole; // a kernel or copy from its begin, `first_node`, to its end
    uint32_t
        follows; // the group that a Kokkos fence follows, which tells it from others of its label; else OTTER_NONE
    uint32_t next; // group in this place, OTTER_NONE after the last
};

struct otter_group_edge {
    uint32_t from, to; // indexes of groups
    uint32_t n_edges;
    enum otter_edge_kind kind;
    bool is_back; // closes a cycle; without such edges there is none
};

// A path of labels, each in the one before. OTTER_NONE where there is none.
struct otter_group_place {
    uint32_t
        parent;     // the place around it; of place 0, where what has no label around it lies, none
    uint32_t begin; // the group of what begins it; of place 0 none
    uint32_t first_group; // that lies in it, but in no place inside it
    uint32_t n_groups;
    uint32_t first_child; // a place inside it
    uint32_t next;        // place with its parent
};

struct otter_groups {
    struct otter_group *groups; // in the order of their first nodes
    uint32_t n_groups;
    struct otter_group_place *places; // each after its parent
    uint32_t n_places;
    struct otter_group_edge *edges; // in the order of their first edges
    uint32_t n_edges;
};

// NULL when memory is short.
struct otter_groups *otter_groups_create(const struct otter_graph *graph,
                                         const struct otter_labels *labels);
// Accepts NULL.

// The same for a picture: if these are more than `most`, labels that differ in numbers alone are made one before (label.h). *has_merged
// says whether there were any; `labels` have changed then.
struct otter_groups *otter_groups_create_few(const struct otter_graph *graph,
                                             struct otter_labels *labels, uint32_t most,
                                             bool *has_merged);

void otter_groups_destroy(struct otter_groups *groups);

// In ticks: of a scope's END that of the whole scope, of any other node its own.
uint64_t otter_node_duration(const struct otter_graph *graph, const struct otter_node *node);
