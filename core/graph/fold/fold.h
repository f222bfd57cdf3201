// Makes the graph of a program the same for any number of threads.
//
// Of each team one task stands for all, the first member that has a node. What several members did
// alike between two barriers is there once. What the team shared out, a `single` or the iterations
// of a loop or sections, is there whoever did it, each piece beside the others: its order, which
// depends on who did what, is left out, but for that of ordered regions. A known iteration
// (iterations.h) is a piece: its own order stays, and no dependence or wait leads to the iteration
// from another. Where iterations are not known, each scope, wait and task is a piece, and edges
// between pieces stay.
//
// Left out as well is what a runtime adds depending on the team: reductions and the barriers made
// for them, barriers of its own behind which nothing happens, doacross waits, returns, tasks that
// part a taskloop.
//
// Programs that ask for the thread or the size of the team may have other graphs on other teams.
// These depend on the team as well:
//
//   loops and sections with unknown iterations   edges between tasks (struct otter_fold_findings)
//   static loops of GCC's code                   the runtime does not see them: their iterations
//                                                count as what each member does on its own
//   a cancelled construct
//   a `taskwait depend` right before a task      a team of one takes it for the task's dependences
#pragma once

#include "graph/graph.h"
#include "graph/iterations.h"
#include "graph/label.h"

// What depends on the number of threads, because iterations or sections are not known.
struct otter_fold_findings {
    uint32_t n_unordered; // shares of members that lost the order of several things
    uint32_t n_split;     // edges between two things of one share
};

// A new graph with numbers of its own, of the structure view; NULL when memory is short. Nodes are
// nodes of `graph`: where one stands for others it has their earliest start and latest end (so that
// not every edge respects time), its own region and location, and the task that stands for its
// team. All tasks are there, under the same indexes; those without a node left have first_node
// OTTER_NONE. Teams have one member. `iterations` and `findings` may be NULL.
struct otter_graph *otter_graph_fold(const struct otter_graph *graph,
                                     const struct otter_labels *labels,
                                     const struct otter_iterations *iterations,
                                     struct otter_fold_findings *findings);
