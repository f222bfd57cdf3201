// The scope of each node, and the tasks that the end of a scope joins.
#pragma once

#include "graph/build/join.h"
#include "graph/build/team.h"

// After the teams are known.
void otter_scopes_build(struct otter_joins *joins, struct otter_store *store,
                        const struct otter_teams *teams);
