// The canonical names of a graph's nodes, and the tables from which they are computed.
//
// A name is a path in the *naming tree*. The parent of a node is its immediate dominator over
// creation and order edges: the last node on all paths to the node. Each child is named by
//
//   a task           the number of its creation there, unless its creator is untied, or folding
//                    moved tasks of several creators there
//   any other child  its kind and label: the next node of a chain, a member of a team, a piece of a
//                    folded loop
//
// Siblings of equal kind and label get ranks by the names below and around them (refine.c).
// Siblings that are still equal are *tied* (ties.c). Ties without edges between them may get any
// rank, because exchanging them changes no edge. Ties with edges between them are broken one at a
// time, and all names are computed again.
#pragma once

#include "graph/hash/hash.h"

struct otter_naming {
    const struct otter_graph *graph;
    // unit of each node; n_units or more: no unit; NULL: all nodes are in one unit
    const uint32_t *units;
    uint32_t n_units;

    // All nodes, each after its parent. The first n_sound nodes are neither on a cycle nor after
    // one; each of them is after its predecessors.
    uint32_t *order;
    uint32_t n_sound;
    uint32_t *parents; // the parent node; n_nodes + unit for the roots of a unit
    uint32_t *ranks;   // rank among the children of one parent; 0: none
    struct otter_hash *names;
    struct otter_hash *codes; // hashes of the names below and around each node
    struct otter_hash *sums;  // scratch numbers, one for each node

    struct otter_sibling *siblings; // children of one parent that differ only in their ranks
    uint32_t n_siblings;
    uint32_t n_ranks; // how many different ranks the siblings had in the last round
    bool has_edges;   // whether edges join siblings with equal names, or their subtrees
};

struct otter_sibling {
    uint32_t parent, node;
    struct otter_hash code;
};

static inline bool otter_naming_is_inside(const struct otter_naming *naming, uint32_t from,
                                          uint32_t to)
{
    return !naming->units || naming->units[from] == naming->units[to];
}

// ---- hash.c

// Sets names to the kind and label of each node, and what otter_naming_build_tree() sets. The
// caller finishes the naming in any case. Returns false if out of memory.
bool otter_naming_begin(struct otter_naming *naming, const struct otter_labels *labels);
void otter_naming_finish(struct otter_naming *naming);

// ---- tree.c: the naming tree. Both functions return false if out of memory.

// Sets order, parents (OTTER_NONE at first), and the ranks of tasks numbered by their creation.
bool otter_naming_build_tree(struct otter_naming *naming);
// Sets siblings.
bool otter_naming_list_siblings(struct otter_naming *naming);

// ---- refine.c

// Appends each node's name and rank to its parent's name, so that names become paths.
void otter_naming_rename(struct otter_naming *naming);
// Sets codes from names.
void otter_naming_refine(struct otter_naming *naming);

// ---- ties.c. Both functions return false if out of memory.

// Removes siblings with unique names, and sets has_edges.
bool otter_naming_compare_siblings(struct otter_naming *naming);
// Sets the ranks of siblings by their codes.
//   is_last    all ranks become unique, if necessary arbitrarily
//   *is_final  ranks are unique; otherwise the caller computes names and codes again
bool otter_naming_rank(struct otter_naming *naming, bool is_last, bool *is_final);
