// Join scopes: a taskgroup, or the part of an implicit task up to a barrier. A join scope contains
// the tasks that its end waits for.
#pragma once

#include "graph/build/edges/open.h"

struct otter_join_scope {
    uint32_t parent; // the enclosing join scope, OTTER_OF_TASK, or OTTER_NONE
    uint32_t begin;  // start node, or OTTER_OF_TASK if the scope has none in this view
    uint32_t end;    // end node, or OTTER_NONE
    uint32_t owner;  // task with the scope in its chain
    // if there is no `end`, the member whose team waits at its own end instead; otherwise
    // OTTER_NONE
    uint32_t member;
};

// A task that an internal task of a taskloop created. Both are joined by the same node.
struct otter_adoption {
    uint32_t task, creator;
};

// A task whose execution is read before its creation. The creation may be missing.
struct otter_orphan {
    uint32_t task;
    uint32_t creator; // the implicit or initial task on the same location
    uint32_t scope;   // join scope for the task
    uint32_t begin;   // node before everything in the scope
};

struct otter_joins {
    OTTER_LIST(struct otter_join_scope) scopes;
    OTTER_LIST(struct otter_adoption) adoptions;
    OTTER_LIST(struct otter_orphan) orphans;
};

// *Returns* the join scope of the task's next child.
uint32_t otter_join_scope_of(struct otter_joins *joins, struct otter_store *store,
                             const struct otter_open_constructs *open,
                             struct otter_context *context);
// *Returns* the join scope of a new taskgroup. `begin`: its node, or OTTER_NONE.
uint32_t otter_join_begin_group(struct otter_joins *joins, struct otter_store *store,
                                const struct otter_open_constructs *open,
                                struct otter_context *context, uint32_t begin);
// Joins, in the taskwait `node`, all children that the task has created so far.
void otter_join_children(struct otter_store *store, struct otter_open_constructs *open,
                         struct otter_context *context, uint32_t node);
// Joins, in the barrier `node`, all tasks that an initial or implicit task has created so far.
void otter_join_barrier(struct otter_joins *joins, struct otter_open_constructs *open,
                        struct otter_context *context, uint32_t node);

// Stores that `task` is executed on the location of `base`, an initial or implicit task.
void otter_join_orphan(struct otter_joins *joins, struct otter_store *store,
                       struct otter_context *base, uint32_t task);

// ---- after the last location

// Gives orphans their creator.
void otter_join_resolve_orphans(const struct otter_joins *joins, struct otter_store *store);
void otter_join_resolve_adoptions(const struct otter_joins *joins, struct otter_store *store);
