// The parts of grouping.
#pragma once

#include "graph/group.h"

// Sets `is_back` of all edges. False when memory is short.
bool otter_groups_find_cycles(struct otter_groups *groups);
