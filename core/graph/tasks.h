// Removes tasks from a graph.
#pragma once

#include "graph/graph.h"

// Removes tasks to which no node belongs, including from teams and as creators. The other tasks get
// new indexes. Returns false if out of memory; then nothing has changed.
bool otter_graph_drop_tasks(struct otter_graph *graph);
