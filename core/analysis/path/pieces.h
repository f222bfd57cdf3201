// The pieces of execution: the nodes of the fragments view that a thread executes, and their work.
#pragma once

#include "analysis/time/timeline.h"
#include "base/slim.h"

// The pieces of one thread do not overlap; they are sorted by their start.
struct otter_thread_pieces {
    uint32_t *nodes; // indexes in the graph
    uint32_t n;
};

struct otter_pieces {
    struct otter_thread_pieces *lines; // as many as the timeline has
    uint32_t n_lines;
    struct otter_slim work; // of each node of the graph: ticks in which a thread executed it
};

// `graph` is the fragments view of the timeline's archive. Execution not covered by any node
// becomes OTTER_STATE_FORKING. Returns OTTER_NO_MEMORY or OTTER_OK.
enum otter_status otter_pieces_init(struct otter_pieces *pieces, const struct otter_graph *graph,
                                    struct otter_timeline *timeline);
void otter_pieces_finish(struct otter_pieces *pieces);

// Calls `use` for the pieces of each thread in order of time, then for all operations of devices.
typedef void otter_piece_function(void *user, uint32_t node);
void otter_pieces_each(const struct otter_pieces *pieces, const struct otter_graph *graph,
                       otter_piece_function *use, void *user);

// Returns whether the node is a piece of what a thread executes.
static inline bool otter_node_is_piece(const struct otter_node *node)
{
    return node->kind == OTTER_NODE_FRAGMENT || node->kind == OTTER_NODE_OPERATION;
}
