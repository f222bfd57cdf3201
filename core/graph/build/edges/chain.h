// The chain of a task: its nodes in order, and its fragments.
#pragma once

#include "graph/build/edges/store.h"

// READY: the current node is a fragment that has not begun.
enum otter_running { OTTER_IDLE = 0, OTTER_READY, OTTER_RUNNING };

struct otter_depend_table;

// The state of a task while it is executed.
struct otter_context {
    // dependences of the task's children; NULL until a child has any
    struct otter_depend_table *table;
    // a `taskwait depend` that may be the depend clause of the next task, if has_wait
    uint64_t wait_start, wait_end;
    uint32_t wait_region, wait_first, wait_n;
    uint32_t task;
    uint32_t position;   // index of the current node
    uint32_t unjoined;   // first child that no taskwait has joined, or OTTER_NONE
    uint32_t undeferred; // the undeferred child that has ended last, or OTTER_NONE
    // The next three belong to initial and implicit tasks.
    uint32_t member;      // index of the member, or OTTER_NONE
    uint32_t phase_begin; // the node of the last barrier, or the first node
    uint32_t phase;       // join scope up to the next barrier; OTTER_NONE while the scope is empty
    uint32_t base;       // position on the stack: its own, or of the initial or implicit task below
    uint32_t first_open; // index of the outermost open construct in struct otter_open_constructs
    uint32_t scope;      // node that begins the innermost open scope, or OTTER_OF_TASK
    uint32_t group;      // open construct of the innermost taskgroup, or OTTER_NONE
    uint32_t n_loops;    // number of loops that the task has encountered
    uint16_t n_waits;    // number of the task's open constructs that wait
    uint16_t location;
    uint16_t n_nested; // how many times the task was pushed on top of itself
    uint8_t running;   // enum otter_running
    bool is_base;      // the task is initial or implicit
    bool has_end;      // the task is initial or implicit, and its end will be recorded
    bool is_untied;
    bool is_serial; // the task is in a team of one thread
    bool has_wait;
    bool wants_region; // the next region that is entered is this task's own
    bool is_undeferred;
};

void otter_context_init(struct otter_context *context, uint32_t task, uint32_t position);

// Stores a node of the task; otter_chain_add() also appends the node to the chain with an edge.
uint32_t otter_chain_make(struct otter_store *store, const struct otter_context *context,
                          enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end);
uint32_t otter_chain_add(struct otter_store *store, struct otter_context *context,
                         enum otter_node_kind kind, uint32_t region, uint64_t start, uint64_t end);
// Appends `node` without an edge from the current node, since other tasks are between the two.
void otter_chain_append(struct otter_store *store, struct otter_context *context, uint32_t node);
// Adds the edge from an undeferred child that has ended to `node`.
void otter_chain_undeferred(struct otter_store *store, const struct otter_context *context,
                            uint32_t node);
// Adds the edge from an explicit task to a scope in it. `before` is the scope's predecessor.
void otter_chain_nest(struct otter_store *store, const struct otter_context *context, uint32_t node,
                      uint32_t before);

// ---- fragments; no effect in the structure view

// Begins or continues a fragment.
void otter_chain_run(struct otter_store *store, struct otter_context *context, uint64_t time);
// Ends the fragment. An empty fragment continues later.
void otter_chain_pause(struct otter_store *store, struct otter_context *context, uint64_t time);
// Ends the fragment for good, since an edge leaves it.
void otter_chain_cut(struct otter_store *store, struct otter_context *context, uint64_t time);
