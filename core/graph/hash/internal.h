// What the files of hash.c share.
//
// The hash counts each node by its name and each edge by the names of its ends, so equal hashes
// mean equal graphs. A name is a path in the *naming tree*: the parent of a node is the last node
// that all creation and order edges to the node lead through. Among the children of one parent,
//
//   a task           has the number of its creation there, unless its creator is untied, or folding
//                    moved tasks of several creators there
//   any other child  has its label: the next node of a chain, the members of a team, the shares of
//                    a folded loop
//
// Children of one label get ranks by what is below and around them (hash_refine.c). Children that
// look the same are *tied*. Ties without edges between them may get any rank: exchanging them
// changes no edge. Ties with edges between them are parted one at a time, and all names are made
// anew (hash_ties.c).
#pragma once

#include "graph/hash/hash.h"

struct otter_naming {
    const struct otter_graph *graph;
    const uint32_t *units; // of each node, n_units or more: none; or NULL: one unit
    uint32_t n_units;

    // All nodes, each after its parent and, but for cycles, after its predecessors. The first
    // n_sound are on no cycle and after none.
    uint32_t *order;
    uint32_t n_sound;
    uint32_t *parents; // a node, or n_nodes + unit at the root of a unit
    uint32_t *ranks;   // among the children of one parent; 0: none
    struct otter_hash *names;
    struct otter_hash *codes; // what is below and around a node
    struct otter_hash *sums;

    struct otter_sibling *siblings; // the children that only ranks tell apart
    uint32_t n_siblings;
    uint32_t n_ranks; // of siblings in the last round
    bool has_edges;   // between siblings of one name, or between what is below them
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

// `value` put after `hash`: the order counts.
struct otter_hash otter_hash_mix(struct otter_hash hash, struct otter_hash value);
struct otter_hash otter_hash_mix_number(struct otter_hash hash, uint64_t value);

// ---- hash_tree.c: the naming tree. Both return false when memory is short.

// Sets order, parents, and the ranks of tasks that are numbered by their creation.
bool otter_naming_plant(struct otter_naming *naming);
// Sets siblings.
bool otter_naming_list_siblings(struct otter_naming *naming);

// ---- hash_refine.c

// Makes `names` of paths: of each node the name before, put after its parent's, and its rank.
void otter_naming_rename(struct otter_naming *naming);
// Sets the codes of nodes, which depend on names.
void otter_naming_refine(struct otter_naming *naming);

// ---- hash_ties.c. Both return false when memory is short.

// Leaves siblings that have the name of another, and sets has_edges.
bool otter_naming_compare_siblings(struct otter_naming *naming);
// Sets the ranks of siblings by codes.
//   is_last    ranks become unique in any case
//   *is_final  ranks are unique; if not, names and codes must be made anew
bool otter_naming_rank(struct otter_naming *naming, bool is_last, bool *is_final);
