// What a node stands for in the program.
#pragma once

#include "graph/graph.h"

// Of its region; OTTER_CONSTRUCT_UNKNOWN when that is unknown.
enum otter_construct otter_node_construct(const struct otter_graph *graph, uint32_t node);

// Of any kind, also one that was not recorded: the only nodes that lie in more than one chain.
bool otter_node_is_barrier(const struct otter_graph *graph, uint32_t node);
