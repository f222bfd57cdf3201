// One number for what a graph is. Different graphs have different numbers, but for collisions of
// 128 bits. Equal graphs have the same number, whatever the numbers of their nodes, tasks, teams
// and locations, and whatever the times, unless hash.c gives up after MAX_ROUNDS
// (core/graph/README.md, Hashing).
//
// It is made of the labels of nodes, the kinds of nodes, edges and tasks, and of who leads to whom. Only the structure view is
// the same on every run. Strings of labels count, not indexes of regions; so it compares runs of one program. Whoever wants a
// number that depends on the archive alone gives labels without source lines ("app+0x1234"): lines come from the program, which
// may be moved, stripped or built anew after it was recorded. Then it compares runs of one build.
#pragma once

#include "graph/graph.h"
#include "graph/label.h"

struct otter_hash {
    uint64_t high, low;
};

enum { OTTER_HASH_TEXT = 33 };

// False when memory is short. Nodes on a cycle, of which a sound graph has none, count by their labels alone.
bool otter_graph_hash(const struct otter_graph *graph, const struct otter_labels *labels,
                      struct otter_hash *hash);

// 32 hexadecimal digits. Returns `text`, of OTTER_HASH_TEXT bytes.
char *otter_hash_text(struct otter_hash hash, char *text);

bool otter_hash_is_equal(struct otter_hash a, struct otter_hash b);

// `value` put beside `hash`: the order does not count, how often does.
struct otter_hash otter_hash_add(struct otter_hash hash, struct otter_hash value);

// The hash of each unit, a part of the graph. Edges between units do not count.
//   units     the number of each node's unit; numbers from n_units on mean that the node has none
// Returns an array of n_units, for free(); NULL when memory is short.
struct otter_hash *otter_graph_unit_hashes(const struct otter_graph *graph,
                                           const struct otter_labels *labels, const uint32_t *units,
                                           uint32_t n_units);
