// Makes the graph of a program the same for any number of threads: README.md, "Folding".
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

// A new graph, with numbers of its own, in which of each team one implicit task stands for all. Between two barriers, what
// several members did alike is there once; its nodes are those of one of these members. Left out are reductions, the barriers that a runtime
// makes for them, and returns. Nodes keep times, region, location and task, though not the task that stands for the team may have begun them.
// All tasks and teams are there; those without nodes have first_node OTTER_NONE. Of the structure view; NULL when memory is short.
struct otter_graph *otter_graph_fold(const struct otter_graph *graph,
                                     const struct otter_labels *labels);
