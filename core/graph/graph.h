// The task graph: nodes, and for each node the edges that leave it, in arrays.
// core/graph/README.md defines the kinds of nodes and edges.
//
// build/build.h, joint.h, fold/fold.h and select.h make graphs. Only tasks.h changes a graph
// afterwards.
// Thread: any number of threads may read a graph.
// Every index is valid or OTTER_NONE, and nested scopes form a tree, even for a damaged archive.
// In a damaged archive, edges may close a cycle.
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
    OTTER_NODE_TASK,     // a task, in the structure view
    OTTER_NODE_BEGIN,    // start of a scope
    OTTER_NODE_END,      // end of a scope
    OTTER_NODE_SYNC,     // taskwait, barrier, ...
    OTTER_NODE_SOURCE,   // a sync: `ordered depend(source)`; has the loop's region
    OTTER_NODE_SINK,     // a sync: `ordered depend(sink)`; has the loop's region
    OTTER_NODE_FULFIL,   // a sync: the event of a detached task is fulfilled; has the task's region
    OTTER_NODE_FRAGMENT, // part of a task, in the fragments view
    OTTER_NODE_OPERATION, // the host's part of an operation on a device's data
    OTTER_NODE_DEVICE, // a kernel or transfer on a device; in no chain; has the task that began it
    OTTER_N_NODE_KINDS
};

enum otter_node_flag {
    OTTER_NODE_NEVER_RAN = 1 << 0,  // a task discarded by cancellation, or merged
    OTTER_NODE_CANCELLED = 1 << 1,  // a task that ended by cancellation
    OTTER_NODE_UNFINISHED = 1 << 2, // no end was recorded
    OTTER_NODE_IMPLIED = 1 << 3,    // not recorded, but required by OpenMP
    OTTER_NODE_DETACHED = 1 << 4,   // a task that completes when its event is fulfilled
    OTTER_NODE_UNDEFERRED = 1 << 5, // a task whose creator waited for the end of the task's body
};

// The location of a node that no thread executes: a meeting of several ranks (joint.h).
enum { OTTER_NO_LOCATION = UINT16_MAX };

// A node has 32 bytes, because a graph has millions of nodes.
struct otter_node {
    uint64_t start; // ticks of the archive's clock
    uint64_t end;   // ticks, not before `start`
    // index of the task whose chain has the node; for a barrier, the team leader's task
    uint32_t task;
    uint32_t scope;    // innermost BEGIN around the node, or OTTER_NONE; for an END, its own BEGIN
    uint32_t region;   // index in the archive's definitions; OTTER_NONE: unknown
    uint16_t location; // index of the location on which the node began, or OTTER_NO_LOCATION
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
    OTTER_EDGE_MESSAGE,    // between ranks, only in a joint graph
    OTTER_EDGE_COLLECTIVE, // between ranks, only in a joint graph; see joint.h
    OTTER_N_EDGE_KINDS
};

enum otter_task_kind {
    OTTER_TASK_KIND_UNKNOWN = 0, // no creation was recorded
    OTTER_TASK_KIND_INITIAL,     // also stands for what a thread executes outside of OpenMP
    OTTER_TASK_KIND_IMPLICIT,
    OTTER_TASK_KIND_EXPLICIT,
    OTTER_TASK_KIND_TARGET,
    OTTER_N_TASK_KINDS
};

struct otter_graph_task {
    uint32_t first_node; // first node of the task's chain
    uint32_t last_node;
    uint32_t creator; // index of the creator; OTTER_NONE for initial tasks and unknown creators
    uint32_t number;  // task number, the second half of the id; 0: neither explicit nor target
    // Index of the location that created the task, the first half of the id; an initial or implicit
    // task has the location that executes it.
    uint16_t location;
    uint8_t kind;  // enum otter_task_kind
    uint8_t flags; // enum otter_node_flag, for both views
};

// The team of a parallel region, or the initial tasks of a teams construct.
struct otter_graph_team {
    uint32_t begin_node;   // OTTER_NONE when no fork was recorded
    uint32_t end_node;     // OTTER_NONE when no fork was recorded
    uint32_t first_member; // index of the first member in `members`
    uint32_t n_members;
};

// A location of a merged archive.
struct otter_graph_place {
    uint32_t rank;     // number of the rank
    uint32_t location; // index of the location in its rank
};

struct otter_graph {
    enum otter_graph_view view;
    bool is_folded;                              // made by fold.h
    const struct otter_definitions *definitions; // definitions of the archive, which must stay open

    struct otter_node *nodes;
    uint32_t n_nodes;
    uint32_t *first_edge; // n_nodes + 1; node i has edges first_edge[i] to first_edge[i + 1]
    uint32_t *edge_to;    // index of the node that the edge reaches
    uint8_t *edge_kind;   // enum otter_edge_kind
    uint32_t n_edges;
    struct otter_graph_task *tasks;
    uint32_t n_tasks;
    struct otter_graph_team *teams;
    uint32_t n_teams;
    uint32_t *members; // indexes of tasks, team by team
    uint32_t n_members;

    uint64_t n_events; // records of the archive that the builder read

    // The rank of each location of a joint graph, owned by its maker; NULL: one process.
    const struct otter_graph_place *places;
};

// Frees a graph; accepts NULL.
void otter_graph_destroy(struct otter_graph *graph);

// Return the names of kinds, never NULL. SOURCE, SINK and FULFIL are "sync", as SYNC is.
const char *otter_node_kind_name(enum otter_node_kind kind);
const char *otter_edge_kind_name(enum otter_edge_kind kind); // "creation", ...
const char *otter_task_kind_name(enum otter_task_kind kind); // "implicit", ...

// Returns whether an edge of `kind` leaves `from` at its end. Edges of some kinds leave a task's
// node at its start; all edges leave any other node at its end.
bool otter_edge_leaves_at_end(const struct otter_node *from, enum otter_edge_kind kind);
// Return the tick at which an edge of `kind` leaves `from` and reaches `to`. In a sound graph the
// first is not later than the second.
uint64_t otter_edge_leaves(const struct otter_node *from, enum otter_edge_kind kind);
uint64_t otter_edge_arrives(const struct otter_node *to);

// Returns the END of each BEGIN, OTTER_NONE for other nodes: an array of n_nodes.
// The caller frees the array. NULL if out of memory.
uint32_t *otter_graph_scope_ends(const struct otter_graph *graph);

// Returns all nodes, each after its predecessors: an array of n_nodes, of which *n are filled. If
// the graph has cycles, nodes on cycles and their descendants are missing.
// The caller frees the array. NULL if out of memory.
uint32_t *otter_graph_sort(const struct otter_graph *graph, uint32_t *n);

// Returns a copy of the nodes with keep[node], the edges between them, and all tasks and teams.
// Tasks and teams have OTTER_NONE for nodes that the copy lacks.
// NULL if out of memory.
struct otter_graph *otter_graph_filter(const struct otter_graph *graph, const bool *keep);
