// One task of a graph and what it created.
#pragma once

#include "graph/graph.h"

// The nodes of `task` and of the tasks created below it, down to `depth` levels (0: itself alone, UINT32_MAX: all), with the
// edges between them. The members of a parallel region were created by the task that encountered it; a barrier belongs to
// each member. NULL when memory is short.
struct otter_graph *otter_graph_select(const struct otter_graph *graph, uint32_t task,
                                       uint32_t depth);

// The explicit or target task with this id (struct otter_graph_task); OTTER_NONE when there is none, and for number 0.
uint32_t otter_graph_find_task(const struct otter_graph *graph, uint32_t location, uint32_t number);

// The task in whose chain a node is; OTTER_NONE when the graph has no such node.
uint32_t otter_graph_task_of(const struct otter_graph *graph, uint32_t node);
