// A graph built node by node and edge by edge, with its definitions.
#pragma once

#include "graph/graph.h"

struct small_graph {
    struct otter_graph graph; // its arrays are valid after small_graph_seal
    struct otter_definitions definitions;
    struct otter_region *regions;
    struct otter_location location;
    struct {
        uint32_t from, to;
        uint8_t kind;
    } *edges;
    uint32_t n_edges;
    uint64_t now; // start of the next node, which lasts a microsecond
};

// Allocates `n` nodes and tasks, three edges per node and 16 regions. The clock counts nanoseconds
// from 1000.
void small_graph_init(struct small_graph *small, uint32_t n_nodes, uint32_t n_tasks);
void small_graph_finish(struct small_graph *small);

// Each function returns the index of the new element. Strings must live as long as the graph.
uint32_t small_graph_region(struct small_graph *small, enum otter_construct construct,
                            const char *name, const char *canonical_name);
uint32_t small_graph_task(struct small_graph *small, enum otter_task_kind kind, uint32_t creator,
                          uint32_t number);
uint32_t small_graph_node(struct small_graph *small, enum otter_node_kind kind, uint32_t task,
                          uint32_t region);
void small_graph_edge(struct small_graph *small, uint32_t from, uint32_t to,
                      enum otter_edge_kind kind);

// Sorts the edges as struct otter_graph requires. Nothing may be added afterwards.
void small_graph_seal(struct small_graph *small);
