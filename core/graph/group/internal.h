// The parts of grouping that are not in build.c.
#pragma once

#include "graph/group/group.h"

// Sets `is_back` of all edges. Returns false if out of memory.
bool otter_groups_find_cycles(struct otter_groups *groups);

// Returns for each node whether it begins a scope inside another scope of the same group.
// The caller frees the array. NULL if out of memory.
bool *otter_groups_find_nested(const struct otter_groups *groups, const struct otter_graph *graph,
                               const uint32_t *group_of);
