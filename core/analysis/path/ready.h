// When each node could begin, because everything that it waited for was over.
#pragma once

#include "graph/graph.h"

struct otter_ready {
    uint64_t *times;  // of each node, ticks; its own start if it has no predecessor
    uint32_t *last;   // the predecessor that was over last; OTTER_NONE: none
    uint32_t *order;  // all nodes, each after its predecessors
    uint32_t n_order; // smaller than n_nodes if the graph of a damaged archive has a cycle
};

// Breaks ties between nodes with equal paths, independently of the order of reading. The later one
// of two nodes is the node that ends later. If the ends are equal, the start decides, then the
// index of the location, then the order on the location.
bool otter_node_is_later(const struct otter_graph *graph, uint32_t node, uint32_t other);

// Returns whether the node is an MPI call.
bool otter_node_is_mpi(const struct otter_graph *graph, uint32_t node);

// Returns whether the node is a wait for other nodes of the graph. An MPI call is not such a
// wait: the graph does not contain what it waits for. Neither is a reduction: its thread is busy.
bool otter_node_joins(const struct otter_graph *graph, uint32_t node);

// For the successors of a wait, the wait is over when the tasks that it joins have ended, even if
// its thread continues later. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_ready_init(struct otter_ready *ready, const struct otter_graph *graph);
void otter_ready_finish(struct otter_ready *ready);
