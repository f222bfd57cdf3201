// The fork of each member of a team.
#pragma once

#include "graph/build/edges/team.h"

// Sets `fork` of each member, after the last location.
// *Returns* false if out of memory.
bool otter_forks_find(struct otter_teams *teams, struct otter_store *store);
