// Selects a task of a graph and its descendants.
#pragma once

#include "graph/graph.h"

// Returns the part of a graph that consists of `task` and its descendants down to `depth` levels
// (0: only the task, UINT32_MAX: all). The creator of a team's members is the task that encountered
// the parallel region. A barrier belongs to each member. NULL if out of memory.
struct otter_graph *otter_graph_select(const struct otter_graph *graph, uint32_t task,
                                       uint32_t depth);

// Returns the location of a joint graph with this number in its rank, or OTTER_NONE.
uint32_t otter_graph_find_location(const struct otter_graph *graph, uint32_t rank,
                                   uint32_t location);

// Returns the explicit or target task with this id (struct otter_graph_task), or OTTER_NONE.
uint32_t otter_graph_find_task(const struct otter_graph *graph, uint32_t location, uint32_t number);

// Returns the task of a node; OTTER_NONE if the graph has no such node.
uint32_t otter_graph_task_of(const struct otter_graph *graph, uint32_t node);
