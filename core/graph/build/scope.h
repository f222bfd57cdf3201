// The scope of each node, and the tasks that the end of a scope joins.
#pragma once

#include "graph/build/edges/join.h"
#include "graph/build/edges/team.h"

// Marks the members whose region waits for detached tasks. Call this before the teams are known.
void otter_scopes_find_detached(const struct otter_joins *joins, const struct otter_store *store,
                                struct otter_teams *teams);
// Assigns the scopes and adds the joins. Call this after the teams are known.
void otter_scopes_build(struct otter_joins *joins, struct otter_store *store,
                        const struct otter_teams *teams);
