// The construct that a node represents.
#pragma once

#include "graph/graph.h"

// Returns the construct of a node's region; OTTER_CONSTRUCT_UNKNOWN if the region is unknown.
enum otter_construct otter_node_construct(const struct otter_graph *graph, uint32_t node);

// Returns whether a node is a barrier of any kind, recorded or implied. Only barriers are in the
// chains of several tasks.
bool otter_node_is_barrier(const struct otter_graph *graph, uint32_t node);

// Returns whether a node executes a task: the task's node in the structure view, or a fragment.
static inline bool otter_node_has_body(const struct otter_node *node)
{
    return node->kind == OTTER_NODE_TASK || node->kind == OTTER_NODE_FRAGMENT;
}
