// The hash of a graph: 128 bits that are equal for equal graphs.
//
// Different graphs have different hashes, except for collisions. Equal graphs have equal hashes,
// unless ties remain after MAX_ROUNDS in hash.c (core/graph/README.md, Hashing). The hash depends
// on the edges, on the kinds of nodes, edges and tasks, and on the labels. It does not depend on
// times or on the numbers of nodes, tasks, teams, locations and regions. Only the structure view
// has equal hashes on every run.
//
// The hash compares runs of one program, by the strings of its labels. Source lines in labels are
// read from the program's file, which may have been moved, stripped or rebuilt. With labels without
// lines ("app+0x1234") the hash depends only on the archive, and compares runs of one build.
#pragma once

#include "graph/graph.h"
#include "graph/hash/digest.h"
#include "graph/label.h"

// Sets *hash to the hash of a graph. Nodes on a cycle, which a sound graph does not have,
// contribute only their kind and label. Returns false if out of memory.
bool otter_graph_hash(const struct otter_graph *graph, const struct otter_labels *labels,
                      struct otter_hash *hash);

// Hashes each unit, a part of the graph. Edges between units do not count.
// units[node] is the number of the node's unit; a node with a larger number than any unit has none.
// Returns an array of n_units, which the caller frees; NULL if out of memory.
struct otter_hash *otter_graph_unit_hashes(const struct otter_graph *graph,
                                           const struct otter_labels *labels, const uint32_t *units,
                                           uint32_t n_units);
