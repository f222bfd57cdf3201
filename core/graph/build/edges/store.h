// The nodes, edges and tasks built so far.
//
// Functions that run out of memory set has_failed and return index 0, which is always writable. The
// caller continues, and the builder fails at the next event.
#pragma once

#include "base/vector.h"
#include "graph/build/edges/findings.h"
#include "graph/graph.h"

// The scope is inherited: a task's join scope from its creator, a node's scope from its task.
#define OTTER_OF_TASK ((uint32_t)-2)

// Added to the kind of an edge whose `from` is a task, until otter_ends_complete() replaces the
// task by a node. The edge leaves the task at its completion, or at the end of its body; these
// differ only for a detached task.
enum { OTTER_FROM_TASK = 0x80, OTTER_FROM_BODY = 0x40 };

// Flags that only the builder uses, in addition to enum otter_node_flag.
enum {
    // a task whose successor is another node of its join scope (tasks are never IMPLIED)
    OTTER_BUILD_JOINED = OTTER_NODE_IMPLIED,
    OTTER_BUILD_STARTED = 1 << 6, // a task that was executed
    OTTER_BUILD_ENDED = 1 << 7,   // a task whose end was recorded
    OTTER_BUILD_OF_TASK = OTTER_BUILD_JOINED | OTTER_BUILD_STARTED | OTTER_BUILD_ENDED,

    OTTER_BUILD_CREATED = 1 << 6, // a node of an initial task that created a task
    OTTER_BUILD_LEFT = 1 << 7,    // a node that fulfilled an event
    OTTER_BUILD_OF_NODE = OTTER_BUILD_CREATED | OTTER_BUILD_LEFT,
};

// A member of a struct: an array that grows.
#define OTTER_LIST(type)                                                                           \
    struct {                                                                                       \
        OTTER_VECTOR(type);                                                                        \
    }

// Appends an item to a list, or sets has_failed.
#define OTTER_APPEND(store, list, ...)                                                             \
    (OTTER_VECTOR_RESERVE(list) ? (void)((list)->items[(list)->n++] = (__VA_ARGS__))               \
                                : (void)((store)->has_failed = true))

struct otter_store {
    const struct otter_definitions *definitions;
    enum otter_graph_view view;
    struct otter_build_findings findings;
    bool has_failed;       // memory has run out
    uint8_t closing_flags; // flags of new nodes; 0 except while unfinished constructs are closed
    OTTER_LIST(struct otter_node) nodes;
    OTTER_LIST(uint32_t) edge_from;
    OTTER_LIST(uint32_t) edge_to;
    OTTER_LIST(uint8_t) edge_kind;
    OTTER_LIST(struct otter_graph_task) tasks;
    // Join scope of each explicit task, OTTER_OF_TASK, or OTTER_NONE. After the last location, an
    // implicit task has the node that begins its team instead.
    OTTER_LIST(uint32_t) task_scope;
    OTTER_LIST(uint32_t) task_next; // the next unjoined child of the same creator
};

static inline bool otter_is_structure(const struct otter_store *store)
{
    return store->view == OTTER_VIEW_STRUCTURE;
}

// *Returns* -1, 0 or 1, for functions that qsort() calls.
static inline int otter_compare(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

// *Returns* false if out of memory; then the caller calls otter_store_finish().
bool otter_store_init(struct otter_store *store, const struct otter_definitions *definitions,
                      enum otter_graph_view view);
void otter_store_finish(struct otter_store *store);

uint32_t otter_store_node(struct otter_store *store, const struct otter_node *node);
void otter_store_edge(struct otter_store *store, uint32_t from, uint32_t to, unsigned kind);
// Stores a task and its first node.
uint32_t otter_store_task(struct otter_store *store, enum otter_task_kind kind, uint32_t location,
                          uint32_t number);
