// The tasks of a graph, after parts of it were left out.
#pragma once

#include "graph/graph.h"

// Removes the tasks that no node belongs to, also from teams and as creators; the others get new indexes. False when memory is short;
// then nothing has changed.
bool otter_graph_drop_tasks(struct otter_graph *graph);
