// Removes tasks from a graph.
#pragma once

#include "graph/graph.h"

// Removes tasks to which no node belongs, also from teams and as creators. The others get new
// indexes. False when memory is short; then nothing has changed.
bool otter_graph_drop_tasks(struct otter_graph *graph);
