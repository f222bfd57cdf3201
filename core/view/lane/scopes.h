// The constructs of a grouped graph that are drawn as one: the end of each is drawn with its start.
#pragma once

#include "graph/group/group.h"

// A construct with contents, which get a frame.
struct otter_scope {
    uint32_t begin, end; // groups
    uint32_t n_inside;   // groups between begin and end, both included
    uint32_t around;     // the innermost scope around this one; OTTER_NONE: none
};

struct otter_scopes {
    uint32_t *begin_of;         // of each group: the start that it is drawn with, or OTTER_NONE
    uint32_t *scope_of;         // of each group: the innermost scope around it, or OTTER_NONE
    struct otter_scope *scopes; // each after the scope around it
    uint32_t n_scopes;
};

// Finds the scopes if there are at most `most` groups; otherwise none. The groups of a scope are
// those on a path from its start to its end. Scopes nest; one that overlaps a larger one is
// omitted. A Kokkos region or kernel is not a scope, since it has a place; its end is drawn with
// its start.
void otter_scopes_init(struct otter_scopes *scopes, const struct otter_graph *graph,
                       const struct otter_groups *groups, uint32_t most);
void otter_scopes_finish(struct otter_scopes *scopes);
