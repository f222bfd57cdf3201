// The arrays of struct otter_graph.
#pragma once

#include "graph/build/edges/team.h"

// Moves the contents of `store` into a graph. Frees `alias`, which has the node that replaces each
// node.
// *Returns* NULL if out of memory.
struct otter_graph *otter_arrays_build(struct otter_store *store, const struct otter_teams *teams,
                                       uint32_t *alias);
