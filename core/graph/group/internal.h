// The parts of grouping.
#pragma once

#include "graph/group/group.h"

// Sets `is_back` of all edges. False when memory is short.
bool otter_groups_find_cycles(struct otter_groups *groups);

// Which nodes begin a scope of a group in another scope of that group: an array for free(), by `group_of` of each node. NULL when memory is
// short.
bool *otter_groups_find_nested(const struct otter_groups *groups, const struct otter_graph *graph,
                               const uint32_t *group_of);
