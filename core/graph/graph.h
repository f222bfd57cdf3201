// The task graph: nodes, and for each node the edges that leave it, in arrays. core/graph/README.md says what they mean.
//
// A graph is made by build.h, fold.h or select.h, never changed afterwards, and may be read by any number of threads. Whatever the archive:
// indexes are valid or OTTER_NONE, and scopes lie in each other without circles. Edges may make a circle if it is damaged.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/read/reader.h"

enum otter_graph_view {
    OTTER_VIEW_STRUCTURE = 0,
    OTTER_VIEW_FRAGMENTS,
};

enum otter_node_kind {
    OTTER_NODE_UNKNOWN = 0,
    OTTER_NODE_TASK,   // of the structure view
    OTTER_NODE_BEGIN,  // of a scope
    OTTER_NODE_END,    // of a scope
    OTTER_NODE_SYNC,   // taskwait, barrier, ...
    OTTER_NODE_SOURCE, // a sync: `ordered depend(source)`; its region is the loop's
    OTTER_NODE_SINK,   // a sync: `ordered depend(sink)`; its region is the loop's
    OTTER_NODE_FULFIL, // a sync: the event of a detached task is fulfilled; its region is the task's
    OTTER_NODE_FRAGMENT,  // of the fragments view
    OTTER_NODE_OPERATION, // the host's part of an operation on a device's data
    OTTER_NODE_DEVICE, // what a device did: a kernel, a transfer; in nobody's chain, its task is the one that asked for it
    OTTER_N_NODE_KINDS
};

enum otter_node_flag {
    OTTER_NODE_NEVER_RAN = 1 << 0,  // a task discarded by cancellation, or merged
    OTTER_NODE_CANCELLED = 1 << 1,  // a task that ended by cancellation
    OTTER_NODE_UNFINISHED = 1 << 2, // no end was recorded
    OTTER_NODE_IMPLIED = 1 << 3,    // not recorded: OpenMP says that it is there
    OTTER_NODE_DETACHED = 1 << 4,   // a task that ends when its event is fulfilled
    OTTER_NODE_UNDEFERRED = 1 << 5, // a task whose creator went on after the task's body alone
};

// 32 bytes: there are millions of them.
struct otter_node {
    uint64_t start; // ticks of the archive's clock
    uint64_t end;   // likewise, not before `start`
    uint32_t
        task; // index of the task in whose chain it is; of a barrier: of the member that forked
    uint32_t
        scope; // node that begins the innermost scope it lies in, OTTER_NONE outside of all; of an END: its own BEGIN
    uint32_t region;   // index in the archive's definitions, OTTER_NONE when unknown
    uint16_t location; // index of the location on which it began
    uint8_t kind;      // enum otter_node_kind
    uint8_t flags;     // enum otter_node_flag
};

enum otter_edge_kind {
    OTTER_EDGE_UNKNOWN = 0,
    OTTER_EDGE_CREATION,
    OTTER_EDGE_ORDER,
    OTTER_EDGE_NESTING,
    OTTER_EDGE_JOIN,
    OTTER_EDGE_DEPENDENCE,
    OTTER_EDGE_UNDEFERRED,
    OTTER_EDGE_DOACROSS,
    OTTER_EDGE_FULFIL,
    OTTER_N_EDGE_KINDS
};

enum otter_task_kind {
    OTTER_TASK_KIND_UNKNOWN = 0, // no creation was recorded
    OTTER_TASK_KIND_INITIAL,     // also what a thread does outside of OpenMP
    OTTER_TASK_KIND_IMPLICIT,
    OTTER_TASK_KIND_EXPLICIT,
    OTTER_TASK_KIND_TARGET,
    OTTER_N_TASK_KINDS
};

struct otter_graph_task {
    uint32_t first_node; // of its chain
    uint32_t last_node;
    uint32_t creator; // index of a task, OTTER_NONE for initial tasks and where it is unknown
    uint32_t number;  // the second half of its id; 0: not an explicit task
    uint16_t
        location; // the first half: index of the location that created it, or on which it is the initial or an implicit task
    uint8_t kind; // enum otter_task_kind
    uint8_t flags; // enum otter_node_flag, for both views
};

// The members of a parallel region, or the initial tasks of a teams construct.
struct otter_graph_team {
    uint32_t begin_node;   // OTTER_NONE when no fork was recorded
    uint32_t end_node;     // likewise
    uint32_t first_member; // index in `members`
    uint32_t n_members;
};

struct otter_graph {
    enum otter_graph_view view;
    bool is_folded;                              // by fold.h
    const struct otter_definitions *definitions; // of the archive, which must stay open

    struct otter_node *nodes;
    uint32_t n_nodes;
    uint32_t *
        first_edge; // n_nodes + 1; the edges of node i are those from first_edge[i] to first_edge[i + 1]
    uint32_t *edge_to;  // index of a node
    uint8_t *edge_kind; // enum otter_edge_kind
    uint32_t n_edges;
    struct otter_graph_task *tasks;
    uint32_t n_tasks;
    struct otter_graph_team *teams;
    uint32_t n_teams;
    uint32_t *members; // indexes of tasks, team by team
    uint32_t n_members;

    uint64_t n_events; // that were read
};

// Accepts NULL.
void otter_graph_destroy(struct otter_graph *graph);

// "task", "begin", "end", "sync", "fragment"; source, sink and fulfil are "sync". Never NULL, here and below.
const char *otter_node_kind_name(enum otter_node_kind kind);
const char *otter_edge_kind_name(enum otter_edge_kind kind); // "creation", ...
const char *otter_task_kind_name(enum otter_task_kind kind); // "implicit", ...

// Whether an edge of `kind` leaves `from` at its end: a task's node may be left at its start, any
// other node is left at its end.
bool otter_edge_leaves_at_end(const struct otter_node *from, enum otter_edge_kind kind);
// When an edge of `kind` leaves `from` and reaches `to`: in a sound graph the first is not later than the second.
uint64_t otter_edge_leaves(const struct otter_node *from, enum otter_edge_kind kind);
uint64_t otter_edge_arrives(const struct otter_node *to);

// The END of every BEGIN, OTTER_NONE for other nodes: an array of n_nodes that the caller frees; NULL when memory is short.
uint32_t *otter_graph_scope_ends(const struct otter_graph *graph);

// All nodes, each after its predecessors: an array of n_nodes that the caller frees. *n is smaller than n_nodes when the
// graph has a cycle. NULL when memory is short.
uint32_t *otter_graph_sort(const struct otter_graph *graph, uint32_t *n);

// The part of `graph` whose nodes have keep[i], with the edges between them, and all tasks (first_node or last_node OTTER_NONE when
// it is left out), all teams (likewise). NULL when memory is short.
struct otter_graph *otter_graph_filter(const struct otter_graph *graph, const bool *keep);
