// Folds teams, so that a program has the same graph for any number of threads.
//
// Each team has one representative: the first member that has a node. Work that several members
// executed alike between two barriers appears once in the folded graph. A worksharing construct
// (`single`, loop, sections) is divided into pieces. The folded graph contains the pieces side by
// side, without the order in which members executed them. Only ordered regions retain their order.
// A known iteration (iterations.h) is a piece: it keeps its internal order and has no dependence or
// join with other iterations. If iterations are not known, each scope, wait and task is a piece,
// and edges between pieces remain.
//
// Folding omits the nodes and edges that a runtime adds depending on the team:
//
//   reductions and their barriers
//   the runtime's own barriers without work after them
//   doacross waits
//   undeferred edges
//   tasks that split a taskloop
//
// The folded graph still depends on the number of threads for
//
//   loops and sections with unknown iterations   edges between tasks (struct otter_fold_findings)
//   static loops of GCC's code                   not visible to the runtime: iterations are
//                                                each member's own work
//   a cancelled construct
//   a `taskwait depend` right before a task      in a team of one: taken for the task's dependences
//   a program that reads its thread number or the size of the team
#pragma once

#include "graph/graph.h"
#include "graph/fold/iterations.h"
#include "graph/label.h"

// Counts parts of the graph that depend on the number of threads, since iterations or sections are
// unknown.
struct otter_fold_findings {
    uint32_t n_unordered; // work shares that lost the order of several pieces
    uint32_t n_split;     // edges between two pieces of one work share
};

// Returns a folded copy of `graph`, which is a structure view; NULL if out of memory. A node that
// represents others has their earliest start and latest end, so some edges lead back in time. It
// has its own region and location, and the task that represents its team. Nodes get new numbers.
// Tasks retain their indexes; a task without nodes has first_node OTTER_NONE. Teams have one
// member. `iterations` and `findings` may be NULL.
struct otter_graph *otter_graph_fold(const struct otter_graph *graph,
                                     const struct otter_labels *labels,
                                     const struct otter_iterations *iterations,
                                     struct otter_fold_findings *findings);
