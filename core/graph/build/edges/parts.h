// The state that the steps of tasks change. Each part belongs to the file of the same name.
#pragma once

#include "graph/build/edges/depend.h"
#include "graph/build/edges/device.h"
#include "graph/build/edges/end.h"
#include "graph/build/edges/doacross.h"
#include "graph/build/edges/join.h"
#include "graph/build/edges/open.h"
#include "graph/build/edges/region.h"
#include "graph/build/edges/store.h"
#include "graph/build/edges/team.h"

struct otter_parts {
    struct otter_store store;
    struct otter_regions regions;
    struct otter_open_constructs open;
    struct otter_joins joins;
    struct otter_dependences dependences;
    struct otter_teams teams;
    struct otter_doacross doacross;
    struct otter_operations operations;
    struct otter_ends ends;
};

// *Returns* false if out of memory; then the caller calls otter_parts_finish().
bool otter_parts_init(struct otter_parts *parts, const struct otter_definitions *definitions,
                      enum otter_graph_view view);
void otter_parts_finish(struct otter_parts *parts);
