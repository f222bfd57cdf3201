// The dependences of siblings.
#pragma once

#include "graph/build/edges/join.h"

// An item of a depend clause, or one of the numbers of a doacross iteration.
struct otter_entry {
    uint64_t value;
    uint32_t kind; // enum otter_parameter
};

struct otter_dependences {
    OTTER_LIST(struct otter_entry) entries;
    OTTER_LIST(uint32_t) predecessors; // predecessors of the newest task
    bool is_logged; // whether the entries are needed until the last location has been read
};

// A task, or the node of a `taskwait depend`.
struct otter_dependent {
    uint32_t index;
    bool is_task;
    uint32_t scope; // join scope of the task
};

// Adds the edges from the predecessors of the newest child of `context`, and removes the entries.
void otter_depend_add(struct otter_dependences *dependences, struct otter_store *store,
                      const struct otter_joins *joins, struct otter_context *context,
                      struct otter_dependent newest, uint32_t first_entry, uint32_t n_entries);
// Removes entries after use if they are the newest.
static inline void otter_depend_trim(struct otter_dependences *dependences, uint32_t first,
                                     uint32_t n)
{
    if (first + n == dependences->entries.n && !dependences->is_logged) {
        dependences->entries.n = first;
    }
}
// Forgets the children of `context`, which have all ended.
void otter_depend_clear(struct otter_context *context);
